#!/usr/bin/env bash
# curl --http2 fails at lighttpd if the file is larger than 32 kB and the URL is http.
#
# One would guess: the upgrade to h2c (RFC 7540 section 3.2), which both support and lighttpd accepts by default, works for
# files of any size.
# Seen: lighttpd sends the first 64 kB of the response in the packet of its 101; curl has a buffer of 32768 bytes for what
# follows a 101 and ends with status 16, and its %{http_code} is 101. With --http2-prior-knowledge the file arrives.
# Version: lighttpd 1.4.69 of Debian 12, curl 7.88.1. Source: lib/http2.c of curl.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
lighttpd=$(command -v lighttpd || true)
if [[ -z $lighttpd ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download lighttpd && dpkg -x lighttpd_*.deb .)
    lighttpd=$folder/usr/sbin/lighttpd
fi
"$lighttpd" -v | sed -n 1p
port=$(python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])')
mkdir "$folder/root"
head -c 1000 /dev/zero >"$folder/root/small"
head -c 200000 /dev/zero >"$folder/root/big"
cat >"$folder/conf" <<FILE
server.document-root = "$folder/root"
server.bind = "127.0.0.1"
server.port = $port
server.modules = ()
FILE
"$lighttpd" -D -f "$folder/conf" -m "$(dirname "$lighttpd")/../lib/lighttpd" 2>/dev/null &
server=$!
for ((attempt = 0; attempt < 100; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$port/small" && break
    sleep 0.1
done
get() {
    local format='%{http_code} HTTP/%{http_version} %{size_download}'
    curl -q -s -m 20 "$1" -o /dev/null -w "$format" "http://127.0.0.1:$port/$2" || echo " status $?"
}
small=$(get --http2 small)
prior=$(get --http2-prior-knowledge big)
big=$(get --http2 big)
echo "upgrade, 1 kB: $small; prior knowledge, 200 kB: $prior; upgrade, 200 kB: $big"
[[ $small = "200 HTTP/2 1000" && $prior = "200 HTTP/2 200000" && $big = *"status 16" ]] || { echo "this has changed" >&2; exit 1; }
