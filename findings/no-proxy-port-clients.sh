#!/usr/bin/env bash
# A port in no_proxy bypasses the proxy for some clients, and nothing for others.
#
# One would guess: no_proxy=HOST:PORT connects directly to that port, or is ignored, by all clients of one machine.
# Seen: urllib and httpx connect directly. curl and wget use the proxy. requests uses it for an address, and connects directly
# for a name. Without a port all five connect directly.
# Version: curl 7.88.1 and wget 1.21.3 of Debian 12; requests 2.32.4 and httpx 0.28.1 with Python 3.11.
# Source: proxy_bypass_environment in urllib/request.py; should_bypass_proxies in requests/utils.py, which compares an address
# without the port; Curl_check_noproxy in lib/noproxy.c, which has no ports.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
command -v wget >/dev/null || apt-get -qq install --yes --no-install-recommends wget >/dev/null
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile requests==2.32.4 httpx==0.28.1
timeout 120 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import http.server, os, subprocess, sys, threading
def serve(word):
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *arguments): pass
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Length", str(len(word)))
            self.end_headers()
            self.wfile.write(word.encode())
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_port
origin, proxy = serve("direct"), serve("proxy")
script = {
    "urllib": "import sys, urllib.request as u; print(u.urlopen(sys.argv[1], timeout=10).read().decode())",
    "requests": "import sys, requests; print(requests.get(sys.argv[1], timeout=10).text)",
    "httpx": "import sys, httpx; print(httpx.get(sys.argv[1], timeout=10).text)",
}
clients = {"curl": ["curl", "-q4", "-sS", "-m", "10"], "wget": ["wget", "--no-config", "-4", "-qO-", "-T", "10"]}
clients |= {name: [sys.executable, "-c", text] for name, text in script.items()}
seen = {}
for host in ("127.0.0.1", "localhost"):
    for entry in (host, f"{host}:{origin}"):
        variables = {"PATH": os.environ["PATH"], "http_proxy": f"http://127.0.0.1:{proxy}", "no_proxy": entry}
        ways = {name: subprocess.run([*words, f"http://{host}:{origin}/"], env=variables, capture_output=True, text=True,
                                     timeout=20).stdout.strip() for name, words in clients.items()}
        kind = ("address" if host[0] == "1" else "name") + (", port" if ":" in entry else "")
        print(f"no_proxy with {kind}: {ways}")
        seen[kind] = [name for name, way in ways.items() if way == "direct"]
sys.exit(seen != {"address": list(clients), "name": list(clients), "address, port": ["urllib", "httpx"],
                  "name, port": ["urllib", "requests", "httpx"]})
PYTHON
