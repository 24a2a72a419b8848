#!/usr/bin/env bash
# httpx and wget end a gzip body after its first member and report success.
#
# One would guess: a body of two gzip members, as log rotation, bgzip and servers that join compressed files make it, is
# decoded completely, because RFC 1952 section 2.2 defines a file as a series of members and RFC 9110 names that format.
# Seen: requests returns both members. httpx and wget return the first one without an error; curl fails with status 23.
# Version: requests 2.32.4, httpx 0.28.1, wget 1.21.3, curl 7.88.1. Source: GZipDecoder in httpx/_decoders.py, RFC 1952.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v wget >/dev/null || { echo "wget is missing: apt-get install wget" >&2; exit 2; }
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile requests==2.32.4 httpx==0.28.1
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import gzip, http.server, subprocess, sys, threading
import httpx, requests
body = gzip.compress(b"first,") + gzip.compress(b"second")
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}/"
def tool(*command):
    process = subprocess.run(command + (url,), capture_output=True, text=True, timeout=20)
    return process.stdout, process.returncode
seen = {
    "requests": (requests.get(url, timeout=10).text, 0),
    "httpx": (httpx.get(url, timeout=10).text, 0),
    "wget": tool("wget", "-q", "--compression=auto", "-O", "-"),
    "curl": tool("curl", "-q", "-sS", "--compressed"),
}
for name, (text, status) in seen.items():
    print(f"{name}: {text!r}, status {status}")
expected = {"requests": ("first,second", 0), "httpx": ("first,", 0), "wget": ("first,", 0), "curl": ("first,", 23)}
sys.exit(seen != expected)
PYTHON
