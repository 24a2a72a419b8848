#!/usr/bin/env bash
# requests takes an interim response 103 for the final one.
#
# One would guess: a client skips 103 (Early Hints), as it skips 100, and returns the 200 that follows. RFC 9110 section 15.2:
# "A client MUST be able to parse one or more 1xx responses received prior to a final response".
# Seen: Python's http.client skips only 100. requests returns 103 with an empty body, urllib raises HTTPError 103; httpx and
# curl return the 200.
# Version: requests 2.32.4 and httpx 0.28.1 with Python 3.11. Source: HTTPResponse.begin in http/client.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile requests==2.32.4 httpx==0.28.1
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import http.server, subprocess, sys, threading
import httpx, requests
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_GET(self):
        self.wfile.write(b"HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload\r\n\r\n"
                         b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody")
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
first, second = requests.get(url, timeout=10), httpx.get(url, timeout=10)
curl = subprocess.run(["curl", "-q", "-sS", "-m", "10", "-w", " %{http_code}", url], capture_output=True, text=True).stdout
seen = [(first.status_code, first.text), (second.status_code, second.text), curl]
print(f"Python {sys.version.split()[0]}: requests {seen[0]}, httpx {seen[1]}, curl {curl!r}")
sys.exit(seen != [(103, ""), (200, "body"), "body 200"])
PYTHON
