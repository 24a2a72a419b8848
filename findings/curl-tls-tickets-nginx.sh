#!/usr/bin/env bash
# curl never resumes a TLS session with nginx's default settings.
#
# One would guess: nginx accepts session tickets by default (ssl_session_tickets), and curl keeps sessions for the URLs of a
# command, so a second connection of the command resumes the session of the first, as `openssl s_client` does.
# Seen: curl offers the session and nginx refuses it, as curl turns tickets off (SSL_OP_NO_TICKET): the session has nothing
# but an ID, and nginx has no cache of sessions by default. With ssl_session_cache shared:NAME:SIZE curl resumes, too.
# Version: nginx 1.22.1, curl 7.88.1 and OpenSSL 3.0 of Debian 12. Source: lib/vtls/openssl.c of curl, nginx's
# ngx_http_ssl_module.
set -euo pipefail
folder=$(mktemp -d)
trap '[[ ! -s $folder/pid ]] || kill "$(<"$folder/pid")" 2>/dev/null || true; rm -rf "$folder"' EXIT
nginx=$(PATH=$PATH:/usr/sbin command -v nginx || true)
if [[ -z $nginx ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download nginx && dpkg -x nginx_*.deb .)
    nginx=$folder/usr/sbin/nginx
fi
"$nginx" -v
curl --version | sed -n 1p
read -r plain cached < <(python3 -c '
import socket
servers = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(server.getsockname()[1] for server in servers))')
openssl req -x509 -newkey rsa:2048 -nodes -keyout "$folder/key" -out "$folder/cert" -days 2 -subj /CN=localhost \
    -addext subjectAltName=IP:127.0.0.1 2>/dev/null
server() {
    echo "server { listen 127.0.0.1:$1 ssl; ssl_certificate $folder/cert; ssl_certificate_key $folder/key; $2"
    # shellcheck disable=SC2016
    echo 'location / { keepalive_timeout 0; return 200 "$ssl_session_reused"; } }'
}
cat >"$folder/conf" <<FILE
pid $folder/pid; error_log $folder/errors; worker_processes 1;
events {}
http { access_log off; client_body_temp_path $folder/1; proxy_temp_path $folder/2; fastcgi_temp_path $folder/3;
uwsgi_temp_path $folder/4; scgi_temp_path $folder/5;
$(server "$plain" "") $(server "$cached" "ssl_session_cache shared:sessions:1m;") }
FILE
"$nginx" -c "$folder/conf" 2>/dev/null
get() {
    curl -q -s -m 10 --cacert "$folder/cert" --http1.1 --tls-max 1.2 "https://127.0.0.1:$1/" "https://127.0.0.1:$1/"
}
for ((attempt = 0; attempt < 100; attempt++)); do
    get "$plain" >/dev/null && break
    sleep 0.1
done
ask() {
    printf 'GET / HTTP/1.0\r\n\r\n' |
        timeout 10 openssl s_client -connect "127.0.0.1:$plain" -tls1_2 -ign_eof "$@" 2>/dev/null | grep -cE '^Reused,' || true
}
ask -sess_out "$folder/session" >/dev/null
tickets=$(ask -sess_in "$folder/session")
default=$(get "$plain")
shared=$(get "$cached")
echo "s_client, resumed with a ticket: $tickets; curl, default: '$default'; curl, with a cache: '$shared' (r: resumed)"
[[ $tickets = 1 && $default = ".." && $shared = ".r" ]] || { echo "this has changed" >&2; exit 1; }
