#!/usr/bin/env bash
# With --http2-prior-knowledge, curl fails at the second request of a connection.
#
# One would guess: several URLs of one server share a connection, as they do over HTTP/1.1 and, with TLS, over HTTP/2.
# Seen: the first URL gets 200. The next one ends with 16, "Error in the HTTP2 framing layer", and its request is never sent.
# The request after a redirect to the same server fails the same way.
# Version: curl 7.88.1 and nginx 1.22.1 of Debian 12; libcurl 8.23.0 sends both. Source: curl's issue 10634 and pull request
# 10643: the reused connection gets a second HTTP/2 filter.
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
read -r http1 http2 tls < <(python3 -c '
import socket
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(3)]
print(*(server.getsockname()[1] for server in servers))')
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key" -out "$folder/cert" -days 2 -subj /CN=localhost \
    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
cat >"$folder/conf" <<FILE
pid $folder/pid; error_log $folder/errors; worker_processes 1; daemon off; master_process off;
events {}
http { access_log $folder/log; client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3;
uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
server { listen 127.0.0.1:$http1; listen 127.0.0.1:$http2 http2; listen 127.0.0.1:$tls http2 ssl;
ssl_certificate $folder/cert; ssl_certificate_key $folder/key;
location / { return 200; } location /from { return 302 /to; } } }
FILE
timeout 100 "$nginx" -c "$folder/conf" 2>/dev/null &
server=$!
for ((attempt = 0; attempt < 200; attempt++)); do
    curl -q -s -m 5 -o /dev/null "http://127.0.0.1:$http1/" && break
    sleep 0.1
done
get() {
    curl -q -s -m 10 --cacert "$folder/cert" -L "${@:2}" -o "$folder/#1" -w '%{http_code} with status %{exitcode}, ' "$1" ||
        true
}
over1=$(get "http://127.0.0.1:$http1/{a,b}") secure=$(get "https://127.0.0.1:$tls/{a,b}" --http2)
prior=$(get "http://127.0.0.1:$http2/{a,b}" --http2-prior-knowledge)
redirect=$(get "http://127.0.0.1:$http2/{from}" --http2-prior-knowledge)
echo "two URLs over HTTP/1.1: ${over1%, }; over HTTP/2 with TLS: ${secure%, }"
echo "two URLs with prior knowledge: ${prior%, }; one with a redirect: ${redirect%, }"
requests=$(grep -c 'GET /[ab] HTTP' "$folder/log")
echo "requests that the server saw: $requests of 6"
good="200 with status 0, " bad="000 with status 16, "
[[ $over1 = "$good$good" && $secure = "$good$good" && $prior = "$good$bad" && $redirect = *"status 16, " && $requests = 5 ]] ||
    { echo "this has changed" >&2; exit 1; }
