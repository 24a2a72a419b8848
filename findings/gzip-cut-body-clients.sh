#!/usr/bin/env bash
# requests, httpx, aiohttp, wget and curl report success for a gzip body whose end is missing.
#
# One would guess: a client that decodes Content-Encoding: gzip fails if the gzip data is incomplete, although Content-Length
# matches the body, for example because the server compressed or stored a part only. RFC 1952 section 2.3: a member ends with
# a CRC32 and the size of its data. `gzip -d` ends with 1.
# Seen: without the last 20 bytes, all five return a prefix of the text and no error. Without the 8 bytes of the CRC32 and the
# size, they return the text without a check. All five reject a wrong CRC32.
# Version: requests 2.32.4 with urllib3 2.5.0, httpx 0.28.1, aiohttp 3.12.15, wget 1.21.3, curl 7.88.1. Source: GzipDecoder in
# urllib3/response.py, GZipDecoder.flush in httpx/_decoders.py, DeflateBuffer.feed_eof in aiohttp/http_parser.py (it checks the
# end of deflate only), gzip_close_writer in lib/content_encoding.c of curl.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
wget=$(command -v wget || true)
if [[ -z $wget ]]; then
    apt-cache show wget >/dev/null 2>&1 || apt-get -qq update
    apt-get -qq -s --no-install-recommends install wget | awk '/^Inst/ { print $2 }' >"$folder/packages"
    (cd "$folder" && xargs apt-get -o APT::Sandbox::User=root -qq download <packages)
    for file in "$folder"/*.deb; do dpkg -x "$file" "$folder"; done
    wget="env LD_LIBRARY_PATH=$(printf '%s:' "$folder"/{usr/,}lib/*-linux-gnu*) $folder/usr/bin/wget"
fi
$wget --version | sed -n 1p
curl --version | sed -n 1p
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile requests==2.32.4 urllib3==2.5.0 httpx==0.28.1 \
    aiohttp==3.12.15
timeout 100 "$folder/env/bin/python" - "$wget" <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, gzip, http.server, subprocess, sys, threading
import aiohttp, httpx, requests
text = b"".join(b"%d %d\n" % (number, number * number % 9973) for number in range(5000))
complete = gzip.compress(text, mtime=0)
wrong = complete[:-8] + bytes([complete[-8] ^ 255]) + complete[-7:]
bodies = {"complete": complete, "cut by 20 bytes": complete[:-20], "cut by 8 bytes": complete[:-8], "wrong CRC32": wrong}
class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *arguments): pass
    def do_GET(self):
        body = list(bodies.values())[int(self.path[1:])]
        self.send_response(200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
def tool(*command, input=None):
    process = subprocess.run(command, capture_output=True, input=input, timeout=20)
    if process.returncode: raise OSError(f"status {process.returncode}")
    return process.stdout
async def get(url):
    async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(10)) as session, session.get(url) as response:
        return await response.read()
clients = {
    "requests": lambda url, body: requests.get(url, timeout=10).content,
    "httpx": lambda url, body: httpx.get(url, timeout=10).content,
    "aiohttp": lambda url, body: asyncio.run(get(url)),
    "wget": lambda url, body: tool(*sys.argv[1].split(), "-q", "-t", "1", "-T", "10", "--compression=auto", "-O", "-", url),
    "curl": lambda url, body: tool("curl", "-q", "-s", "-m", "10", "--compressed", url),
    "gzip -d": lambda url, body: tool("gzip", "-d", input=body),
}
def outcome(client, index):
    try:
        decoded = client(f"http://127.0.0.1:{server.server_port}/{index}", list(bodies.values())[index])
    except (OSError, httpx.HTTPError, aiohttp.ClientError) as error:
        return "error", str(error) if type(error) is OSError else type(error).__name__
    return "text" if decoded == text else "prefix" if decoded and text.startswith(decoded) else "other", f"{len(decoded)} bytes"
print(f"text: {len(text)} bytes, gzip: {len(complete)} bytes")
seen = {}
for name, client in clients.items():
    outcomes = [outcome(client, index) for index in range(len(bodies))]
    print(f"{name}:", "; ".join(f"{body}: {' '.join(result)}" for body, result in zip(bodies, outcomes)))
    seen[name] = [kind for kind, _ in outcomes]
expected = {name: ["text", "prefix", "text", "error"] for name in clients} | {"gzip -d": ["text", "error", "error", "error"]}
sys.exit(seen != expected)
PYTHON
