#!/usr/bin/env bash
# libcurl loses memory with each request for an IPv6 address through a SOCKS 4 proxy.
#
# One would guess: the request is refused, as SOCKS 4 has no IPv6 addresses, and the address that libcurl looked up is
# released like that of any failed request.
# Seen: the request is refused (97), and 104 bytes are lost each time: a lookup entry that stays in use. In a program with
# one libcurl for its lifetime they add up; the leak checker of Address Sanitizer attributes them to that program.
# Version: curl and libcurl 7.88.1 of Debian 12, under valgrind. Source: do_SOCKS4 in lib/socks.c, where the branch for a
# host without an IPv4 address does not call Curl_resolv_unlock.
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${proxy:-}" 2>/dev/null; rm -rf "$folder"' EXIT
for program in curl valgrind python3; do
    command -v $program >/dev/null || { echo "$program is not installed" >&2; exit 2; }
done
curl --version | head -n 1
# A proxy that accepts connections: libcurl gives up before it asks for anything.
python3 - "$folder/port" <<'PYTHON' &
import os, socket, sys
listener = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[1] + ".new", "w") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(sys.argv[1] + ".new", sys.argv[1])
connections = []
while True:
    connections.append(listener.accept())
PYTHON
proxy=$!
for _ in $(seq 100); do [[ -e $folder/port ]] && break; sleep 0.05; done
lost() { # COUNT: the bytes that are lost by this number of requests
    local urls
    mapfile -t urls < <(seq --format='http://[::1]:80%02.0f/' "$1")
    timeout 60 valgrind --leak-check=full --log-file="$folder/log" \
        curl --silent --socks4 "127.0.0.1:$(<"$folder/port")" "${urls[@]}" || [[ $? = 97 ]]
    sed -nE 's/.* ([0-9,]+) \([0-9,]+ direct.*definitely lost.*/\1/p' "$folder/log" | tr -d ,
}
one=$(lost 1)
five=$(lost 5)
echo "lost by 1 request: $one bytes, by 5 requests: $five bytes"
[[ $one = 104 && $five = 520 ]] || { echo "this has changed" >&2; exit 1; }
