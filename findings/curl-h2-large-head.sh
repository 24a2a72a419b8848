#!/usr/bin/env bash
# curl cannot read a response head of more than 128 KiB over HTTP/2 that it reads over HTTP/1.1.
#
# One would guess: the limit of a response head does not depend on the version of HTTP, and a message names it.
# Seen: nginx sends a head of 200 fields of 1000 bytes. Over HTTP/1.1 curl reads it (its limit is 300 KiB). Over HTTP/2 it ends
# with 56 and "nghttp2_session_mem_recv() returned -902:The user callback function failed", which names no limit and looks
# like a broken connection. A head of 100 such fields works with both.
# Version: curl 7.88.1 and nginx 1.22.1 of Debian 12; libcurl 8.23.0 reads the head. Source: DYN_H2_HEADERS in lib/dynbuf.h and
# on_header in lib/http2.c of curl.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
nginx=$(PATH=$PATH:/usr/sbin command -v nginx || true)
if [[ -z $nginx ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download nginx && dpkg -x nginx_*.deb .)
    nginx=$folder/usr/sbin/nginx
fi
"$nginx" -v
curl --version | sed -n 1p
read -r http1 http2 < <(python3 -c '
import socket
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(server.getsockname()[1] for server in servers))')
value=$(printf '%01000d' 0)
for count in 100 200; do
    echo "location /$count { return 200;"
    for ((number = 0; number < count; number++)); do
        echo "add_header x-$number $value;"
    done
    echo "}"
done >"$folder/locations"
cat >"$folder/conf" <<FILE
pid $folder/pid; error_log $folder/errors; worker_processes 1; daemon off; master_process off;
events {}
http { access_log off; client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3;
uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
server { listen 127.0.0.1:$http1; listen 127.0.0.1:$http2 http2; include $folder/locations; } }
FILE
timeout 100 "$nginx" -c "$folder/conf" 2>/dev/null &
server=$!
for ((attempt = 0; attempt < 200; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$http1/" && break
    sleep 0.1
done
get() {
    curl -q -s -m 20 "${@:2}" -o /dev/null -w '%{http_code}, %{size_header} bytes, status %{exitcode} %{errormsg}' "$1" || true
}
few1=$(get "http://127.0.0.1:$http1/100") few2=$(get "http://127.0.0.1:$http2/100" --http2-prior-knowledge)
many1=$(get "http://127.0.0.1:$http1/200") many2=$(get "http://127.0.0.1:$http2/200" --http2-prior-knowledge)
echo "100 fields over HTTP/1.1: $few1; HTTP/2: $few2"
echo "200 fields over HTTP/1.1: $many1; HTTP/2: $many2"
[[ $few1 = 200,*"status 0 " && $few2 = 200,*"status 0 " && $many1 = 200,*"status 0 " && $many2 = *"status 56 "*-902:* ]] ||
    { echo "this has changed" >&2; exit 1; }
