#!/usr/bin/env bash
# curl skips the session cookies of a file that Python's MozillaCookieJar has written.
#
# One would guess: a jar in "Netscape's format", which Python writes and curl reads, gives curl all its cookies, those
# without an end included if they were saved with ignore_discard=True.
# Seen: Python leaves the column of the end empty; curl, which writes 0 there, splits the line at runs of tabs, counts six
# columns and drops it without a message. A cookie with an end arrives. In the other direction Python takes the 0 of curl for
# an end in 1970 and drops the session cookie unless ignore_expires=True is given.
# Version: Python 3.11, curl 7.88.1. Source: MozillaCookieJar.save in http/cookiejar.py, Curl_cookie_add in lib/cookie.c.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
timeout 60 python3 - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import http.server, subprocess, sys, threading, time
from http.cookiejar import Cookie, MozillaCookieJar
received = []
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_GET(self):
        received.append(self.headers["Cookie"])
        self.send_response(200)
        self.send_header("Set-Cookie", "third=3; Path=/")
        self.send_header("Content-Length", "0")
        self.end_headers()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
jar = MozillaCookieJar("python")
for name, end in ("first", int(time.time()) + 3600), ("second", None):
    jar.set_cookie(Cookie(0, name, "v", None, False, "127.0.0.1", False, False, "/", True, False, end, end is None, None, None, {}))
jar.save(ignore_discard=True)
subprocess.run(["curl", "-q", "-sS", "-m", "10", "-b", "python", url], check=True)
subprocess.run(["curl", "-q", "-sS", "-m", "10", "-c", "curl", url], check=True)
back = [MozillaCookieJar(), MozillaCookieJar()]
back[0].load("curl", ignore_discard=True)
back[1].load("curl", ignore_discard=True, ignore_expires=True)
print(f"curl sent {received[0]!r} of the two cookies of Python")
print(f"Python read {[len(jar) for jar in back]} session cookies of curl, without and with ignore_expires")
sys.exit(received[0] != "first=v" or [len(jar) for jar in back] != [0, 1])
PYTHON
