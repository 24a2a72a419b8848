#!/usr/bin/env bash
# curl loses the 413 that HAProxy sends over HTTP/2 while a body is uploaded.
#
# One would guess: a refusal by "http-request deny" arrives over HTTP/2 as it does over HTTP/1.1.
# Seen: HAProxy sends HEADERS with 413, DATA with END_STREAM and then RST_STREAM(CANCEL); curl reports "HTTP/2 stream was not
# closed cleanly: CANCEL", status 92, and no response (nearly always: it depends on what arrives together).
# RFC 9113 section 8.1: the reset after an early response has the code NO_ERROR, and a client must not discard the response.
# Version: HAProxy 2.6.12 of Debian 12, curl 7.88.1. Source: src/mux_h2.c of HAProxy, lib/http2.c of curl.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
haproxy=$(command -v haproxy || true)
if [[ -z $haproxy ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download haproxy && dpkg -x haproxy_*.deb .)
    haproxy=$folder/usr/sbin/haproxy
fi
"$haproxy" -v | sed -n 1p
free() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
old=$(free) new=$(free)
cat >"$folder/conf" <<FILE
defaults
    mode http
    timeout client 10s
    timeout server 10s
    timeout connect 2s
frontend test
    bind 127.0.0.1:$old
    bind 127.0.0.1:$new proto h2
    http-request deny deny_status 413 if METH_POST
FILE
"$haproxy" -db -f "$folder/conf" >/dev/null 2>&1 &
server=$!
head -c 300000 /dev/zero >"$folder/big"
for ((attempt = 0; attempt < 100; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$old/" && break
    sleep 0.1
done
send() { curl -q -s -m 20 "${@:2}" -o /dev/null -w '%{http_code}' --data-binary "@$folder/$1" || echo " status $?"; }
http1=$(send big "http://127.0.0.1:$old/")
lost=0
for ((attempt = 0; attempt < 10; attempt++)); do
    http2=$(send big --http2-prior-knowledge "http://127.0.0.1:$new/")
    [[ $http2 != "000 status 92" ]] || lost=$((lost + 1))
done
echo "HTTP/1.1: $http1; HTTP/2: $lost of 10 responses lost"
[[ $http1 = 413* && $lost -gt 0 ]] || { echo "this has changed" >&2; exit 1; }
