#!/usr/bin/env bash
# Varnish answers 416 to two ranges that both lie within the file.
#
# One would guess: a server that does not want to send multipart/byteranges ignores the field and answers 200, or sends one
# part. RFC 9110 section 15.5.17 has 416 for ranges that the file does not have.
# Seen: "bytes=0-0,5-6" of 100 bytes gives 416 with "Content-Range: bytes */100", so that a client concludes that the file
# has shrunk. Squid sends both parts with 206. A HEAD with one range gives 206, too, though section 14.2 defines Range for
# GET only.
# Version: Varnish 7.1.1 of Debian 12. Source: bin/varnishd/cache/cache_range.c.
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
varnish=$(command -v varnishd || true)
command -v cc >/dev/null || { echo "cc is missing: apt-get install gcc" >&2; exit 2; }
if [[ -z $varnish ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download varnish libvarnishapi3)
    for file in "$folder"/*.deb; do dpkg -x "$file" "$folder"; done
    varnish=$folder/usr/sbin/varnishd
    LD_LIBRARY_PATH=$(dirname "$(find "$folder/usr/lib" -name 'libvarnishapi.so.3' | head -1)")
    export LD_LIBRARY_PATH
fi
"$varnish" -V 2>&1 | sed -n 1p
free() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
origin=$(free) port=$(free)
timeout 100 python3 - "$origin" 2>/dev/null <<'PYTHON' &
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.end_headers()
        self.wfile.write(bytes(100))
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
PYTHON
running+=($!)
"$varnish" -F -n "$folder/work" -a "127.0.0.1:$port" -b "127.0.0.1:$origin" >/dev/null 2>&1 &
running+=($!)
get() { curl -q -s -m 10 -o /dev/null -w '%{http_code}' "$@" "http://127.0.0.1:$port/file"; }
for ((attempt = 0; attempt < 300; attempt++)); do
    [[ $(get || true) = 200 ]] && break
    sleep 0.1
done
one=$(get -r 0-0) two=$(get -r 0-0,5-6) head=$(get -I -r 0-0)
echo "one range: $one, two ranges: $two, HEAD with a range: $head"
[[ "$one $two $head" = "206 416 206" ]] || { echo "this has changed" >&2; exit 1; }
