#!/usr/bin/env bash
# Apache's proxy never sends the body of a request with Expect to an origin that does not answer with 100.
#
# One would guess: an origin that ignores Expect, as wsgiref and many small servers do, gets the body after a moment, because
# a client must not wait for 100 for ever (RFC 9110 section 10.1.1). curl itself sends it after one second.
# Seen: Apache forwards Expect, reads the body from curl and keeps it, until ProxyTimeout (60 seconds, 2 here) ends the
# request with 503. The origin has no byte of the body. Without Expect the same request succeeds. curl sends Expect by
# itself for a body of more than 1 MiB.
# Version: Apache 2.4.71 of Debian 12. Source: modules/proxy/mod_proxy_http.c, "Timeout on 100-Continue".
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
apache=$(command -v apache2 || true)
if [[ -z $apache ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download apache2-bin && dpkg -x apache2-bin_*.deb .)
    apache=$folder/usr/sbin/apache2
fi
"$apache" -v | sed -n 1p
modules=$(dirname "$apache")/../lib/apache2/modules
free() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
origin=$(free) port=$(free)
chmod 755 "$folder"
cat >"$folder/conf" <<FILE
ServerRoot $folder
PidFile $folder/pid
DefaultRuntimeDir $folder
Listen 127.0.0.1:$port
ServerName localhost
ErrorLog $folder/log
LoadModule mpm_event_module $modules/mod_mpm_event.so
LoadModule authz_core_module $modules/mod_authz_core.so
LoadModule proxy_module $modules/mod_proxy.so
LoadModule proxy_http_module $modules/mod_proxy_http.so
User www-data
Group www-data
ProxyTimeout 2
ProxyPass / http://127.0.0.1:$origin/
FILE
timeout 60 python3 - "$origin" 2>/dev/null <<'PYTHON' &
import sys
from wsgiref.simple_server import make_server
def application(environ, start):
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    start("200 OK", [("Content-Type", "text/plain")])
    return [str(len(body)).encode()]
make_server("127.0.0.1", int(sys.argv[1]), application).serve_forever()
PYTHON
running+=($!)
"$apache" -f "$folder/conf" -DFOREGROUND &
running+=($!)
send() { curl -q -sS -m 20 -o /dev/null -w '%{http_code}' -H "Expect:$1" --data-binary hello "http://127.0.0.1:$port/"; }
for ((attempt = 0; attempt < 100; attempt++)); do
    [[ $(send "" 2>/dev/null || true) = 200 ]] && break
    sleep 0.1
done
without=$(send "") with=$(send " 100-continue")
echo "without Expect: $without, with Expect: $with"
[[ $without = 200 && $with = 503 ]] || { echo "this has changed" >&2; exit 1; }
