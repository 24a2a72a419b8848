#!/usr/bin/env bash
# wget -c and curl -C - report success if the server sends only a part of the requested range.
#
# One would guess: a client that asked for "bytes=50000-" of 100000 bytes and got "Content-Range: bytes 50000-69999/100000"
# requests the rest or fails. RFC 9110 section 15.3.7: a server may send a part of a range, and the client must look at
# Content-Range to see which. Servers and caches with a limit of the length of a range do so.
# Seen: both end with status 0 and a file of 70000 bytes. wget prints "[70000/70000]". Each repetition gets a further part.
# Version: wget 1.21.3, curl 7.88.1. Source: gethttp in wget's src/http.c, RFC 9110 sections 14.4 and 15.3.7.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v wget >/dev/null || { echo "wget is missing: apt-get install wget" >&2; exit 2; }
cd "$folder"
timeout 60 python3 - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import http.server, re, subprocess, sys, threading
data = bytes(range(250)) * 400
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *arguments): pass
    def do_GET(self):
        start = int(re.fullmatch(r"bytes=(\d+)-", self.headers["Range"])[1])
        part = data[start:start + 20000]
        self.send_response(206)
        self.send_header("Content-Range", f"bytes {start}-{start + len(part) - 1}/{len(data)}")
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.wfile.write(part)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/file"
seen = {}
for command in ["wget", "-q", "-c", "-O"], ["curl", "-q", "-sS", "-C", "-", "-o"]:
    with open(command[0], "wb") as file:
        file.write(data[:50000])
    status = subprocess.run(command + [command[0], url], timeout=20).returncode
    with open(command[0], "rb") as file:
        seen[command[0]] = (status, len(file.read()))
    print(f"{command[0]}: status {status}, {seen[command[0]][1]} of {len(data)} bytes")
sys.exit(set(seen.values()) != {(0, 70000)})
PYTHON
