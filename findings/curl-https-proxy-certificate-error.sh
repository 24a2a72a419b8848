#!/usr/bin/env bash
# Through an HTTPS proxy, curl reports an untrusted certificate of the server as a broken connection.
#
# One would guess: status 60 and the result of the verification, as without a proxy and as through an HTTP proxy.
# Seen: status 35 and "SSL_ERROR_SYSCALL". A client that retries after broken connections does so in vain, and the user does not
# learn that the certificate of a CA is missing.
# Version: curl 7.88.1 and OpenSSL 3.0 of Debian 12; libcurl 8.23.0 reports 60. Source: ossl_connect_step2 in
# lib/vtls/openssl.c of curl.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[[ -z $server ]] || kill "$server" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
curl --version | sed -n 1p
cd "$folder"
for name in proxy origin; do
    openssl req -x509 -newkey rsa:2048 -nodes -keyout $name.key -out $name.pem -days 2 -subj "/CN=$name" \
        -addext subjectAltName=IP:127.0.0.1 2>/dev/null
done
timeout 100 python3 -u - >ports 2>/dev/null <<'PYTHON' &
import http.server, select, socket, ssl, threading
class Origin(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")
class Proxy(http.server.BaseHTTPRequestHandler):
    def do_CONNECT(self):
        host, port = self.path.split(":")
        with socket.create_connection((host, int(port)), timeout=10) as upstream:
            self.send_response(200)
            self.end_headers()
            def copy(source, target):
                try:
                    while data := source.recv(65536):
                        target.sendall(data)
                    target.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
            thread = threading.Thread(target=copy, args=(upstream, self.connection))
            thread.start()
            copy(self.connection, upstream)
            thread.join()
def start(handler, name):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    if name:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(name + ".pem", name + ".key")
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever).start()
    return server.server_port
print(start(Origin, "origin"), start(Proxy, None), start(Proxy, "proxy"))
PYTHON
server=$!
for ((attempt = 0; attempt < 200; attempt++)); do
    [[ -s ports ]] && break
    sleep 0.1
done
read -r origin plain secure <ports
get() { curl -q -s -m 10 --noproxy "" "$@" -o body -w '%{exitcode} %{errormsg}' "https://127.0.0.1:$origin/" || true; }
trusted=$(get -x "https://127.0.0.1:$secure" --proxy-cacert proxy.pem --cacert origin.pem)
without=$(get) through_http=$(get -x "http://127.0.0.1:$plain")
through_https=$(get -x "https://127.0.0.1:$secure" --proxy-cacert proxy.pem)
echo "HTTPS proxy, trusted: $trusted"
echo "untrusted, no proxy: $without"
echo "untrusted, HTTP proxy: $through_http"
echo "untrusted, HTTPS proxy: $through_https"
[[ $trusted = "0 " && $without = "60 "* && $through_http = "60 "* && $through_https = "35 "*SSL_ERROR_SYSCALL* ]] ||
    { echo "this has changed" >&2; exit 1; }
