#!/usr/bin/env bash
# webfs answers 400 to a range whose last position lies beyond the end of the file.
#
# One would guess: "bytes=990-2000" of a file of 1000 bytes gives the last ten bytes, because RFC 9110 section 14.1.2 replaces
# such a last position, and "bytes=2000-" gives 416, by which a client learns that the file has shrunk.
# Seen: both give 400. "bytes=1000-" gives 206 with "Content-Range: bytes 1000-999/1000" and no byte, so that a client that
# resumes a complete file meets a 206 that section 14.4 forbids.
# Version: webfs 1.21 of Debian 12. Source: request.c of webfs.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
(cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download webfs && dpkg -x webfs_*.deb .)
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir "$folder/root"
head -c 1000 /dev/zero >"$folder/root/file"
"$folder/usr/bin/webfsd" -F -i 127.0.0.1 -p "$port" -r "$folder/root" >/dev/null 2>&1 &
server=$!
for ((attempt = 0; attempt < 100; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$port/file" && break
    sleep 0.1
done
get() {
    curl -q -s -m 10 -r "$1" -o /dev/null -D - "http://127.0.0.1:$port/file" | tr -d '\r' |
        sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p; s/^Content-Range: //p' | tr '\n' ' '
}
inside=$(get 990-999) across=$(get 990-2000) beyond=$(get 2000-) end=$(get 1000-)
echo "990-999: $inside, 990-2000: $across, 2000-: $beyond, 1000-: $end"
expected="206 bytes 990-999/1000 400 400 206 bytes 1000-999/1000 "
[[ $inside$across$beyond$end = "$expected" ]] || { echo "this has changed" >&2; exit 1; }
