#!/usr/bin/env bash
# After 417, curl repeats a request with the typed field Expect as it was, field included, until its limit of redirects.
#
# One would guess: after 417 (Expectation Failed), curl sends the request once more without Expect, as it does for the field
# that it adds itself, or it shows the response.
# Seen: with -H 'Expect: 100-continue', the same request goes out 51 times, each with the field, and curl ends with 47 (too
# many redirects), without -L. The field that curl adds itself is omitted in the second request, which succeeds.
# Version: curl 7.88.1 of Debian 12.
# Source: Curl_http_readwrite_headers in lib/http.c sets disableexpect, which expect100() in the same file asks only for a
# field of its own; RFC 9110 section 15.5.18.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v curl >/dev/null || apt-get -qq install --yes --no-install-recommends curl >/dev/null
head --bytes=2000000 /dev/zero >"$folder/large"
cd "$folder"
timeout 120 python3 - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import socketserver, subprocess, sys, threading
class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while head := b"".join(iter(self.rfile.readline, b"\r\n")):
            expects = b"expect:" in head.lower()
            requests.append(expects)
            if expects:
                # The body does not follow.
                self.wfile.write(b"HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n")
                continue
            length = int(next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))[15:])
            self.rfile.read(length)
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
requests = []
server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_address[1]}/"
seen = {}
for kind, words in {"own": ["-T", "large"], "typed": ["-d", "small", "-H", "Expect: 100-continue"]}.items():
    requests.clear()
    run = subprocess.run(["curl", "-q", "-s", "-m", "20", "-w", "%{http_code}", *words, url], capture_output=True, text=True)
    seen[kind] = (run.returncode, run.stdout, list(requests))
    print(f"{kind} field: {len(requests)} requests, {sum(requests)} with Expect, status {run.stdout}, exit {run.returncode}")
sys.exit(seen["own"] != (0, "200", [True, False]) or seen["typed"][0] != 47 or seen["typed"][2] != [True] * 51)
PYTHON
