#!/usr/bin/env bash
# curl keeps a cookie until 2070 that a server deletes with a date in 1970.
#
# One would guess: "Expires=Thu, 01-Jan-70 00:00:01 GMT", which servers have sent since Netscape's days to delete a cookie,
# deletes it. RFC 6265 section 5.1.1: years from 70 to 99 are 1970 to 1999. Browsers follow it.
# Seen: the cookie stays in the jar, with an end in 2070. "01-Jan-71" deletes it. Python's http.cookiejar also reads
# 2070, by the rule of RFC 9110 for dates (at most 50 years ahead).
# Version: curl 7.88.1, Python 3.11. Source: lib/parsedate.c of curl (years above 70 get 1900), RFC 6265 section 5.1.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
timeout 60 python3 - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import http.cookiejar, http.server, subprocess, sys, threading, time
def date(year):
    return f"{'Fri' if year == '71' else 'Thu'}, 01-Jan-{year} 00:00:01 GMT"
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_GET(self):
        self.send_response(200)
        if self.path == "/login":
            self.send_header("Set-Cookie", "id=1; Path=/; Max-Age=3600")
        else:
            self.send_header("Set-Cookie", f"id=gone; Path=/; Expires={date(self.path[1:])}")
        self.send_header("Content-Length", "0")
        self.end_headers()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
seen = {}
for year in "1970", "70", "71":
    jar = f"jar{year}"
    subprocess.run(["curl", "-q", "-sS", "-m", "10", "-b", jar, "-c", jar, url + "/login", url + "/" + year], check=True)
    with open(jar) as file:
        cookies = [line.split("\t") for line in file if "\t" in line]
    ends = [time.gmtime(int(cookie[4])).tm_year for cookie in cookies]
    python = time.gmtime(http.cookiejar.http2time(date(year))).tm_year
    seen[year] = (ends, python)
    print(f"01-Jan-{year}: curl has {f'a cookie until {ends[0]}' if ends else 'no cookie'}, http.cookiejar reads {python}")
sys.exit(seen != {"1970": ([], 1970), "70": ([2070], 2070), "71": ([], 2071)})
PYTHON
