#!/usr/bin/env bash
# Squid answers 206 to an If-Range date that is newer than the cached file, so a file that was rolled back is mixed.
#
# One would guess: a client that has half of a file of 2020 and sends that date in If-Range gets the complete file if the
# cache now has a version of 2010. RFC 9110 section 13.1.5: the date must match exactly.
# Seen: Squid takes If-Range for "not modified since": 206 for any date from Last-Modified on, 200 for an older one. With an
# ETag it compares exactly.
# Version: Squid 5.7 of Debian 12. Source: clientIfRangeMatch in src/http/Stream.cc of Squid.
set -euo pipefail
folder=$(mktemp -d)
running=()
trap 'kill "${running[@]}" 2>/dev/null || true; wait; rm -rf "$folder"' EXIT
squid=$(command -v squid || true)
if [[ -z $squid ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download squid && dpkg -x squid_*.deb .)
    squid=$folder/usr/sbin/squid
fi
"$squid" -v | sed -n 1p
free() { python3 -c 'import socket; print(socket.create_server(("127.0.0.1", 0)).getsockname()[1])'; }
origin=$(free) port=$(free)
cat >"$folder/conf" <<FILE
http_port 127.0.0.1:$port
http_access allow all
pid_filename none
access_log none
cache_log /dev/null
shutdown_lifetime 0 seconds
coredump_dir $folder
FILE
timeout 100 python3 - "$origin" 2>/dev/null <<'PYTHON' &
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "100")
        self.send_header("ETag", '"1"')
        self.send_header("Last-Modified", "Fri, 01 Jan 2010 00:00:00 GMT")
        self.send_header("Cache-Control", "max-age=1000")
        self.end_headers()
        self.wfile.write(bytes(100))
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
PYTHON
running+=($!)
"$squid" -N -f "$folder/conf" >/dev/null 2>&1 &
running+=($!)
get() { curl -q -s -m 10 -x "http://127.0.0.1:$port" --noproxy "" -o /dev/null -w '%{http_code}' "$@" "http://127.0.0.1:$origin/f"; }
for ((attempt = 0; attempt < 200; attempt++)); do
    [[ $(get || true) = 200 ]] && break
    sleep 0.1
done
same=$(get -r 50- -H "If-Range: Fri, 01 Jan 2010 00:00:00 GMT")
older=$(get -r 50- -H "If-Range: Thu, 01 Jan 2009 00:00:00 GMT")
newer=$(get -r 50- -H "If-Range: Wed, 01 Jan 2020 00:00:00 GMT")
tag=$(get -r 50- -H 'If-Range: "2"')
echo "Last-Modified of 2010, If-Range of 2010: $same, 2009: $older, 2020: $newer, another ETag: $tag"
[[ "$same $older $newer $tag" = "206 200 206 200" ]] || { echo "this has changed" >&2; exit 1; }
