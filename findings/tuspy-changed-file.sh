#!/usr/bin/env bash
# tuspy continues the upload of a file that has changed since, and reports success for a mixture of both.
#
# One would guess: with a URL storage, an upload is resumed if the file is the same, and starts again if it is not.
# Seen: the file's fingerprint is its size and the MD5 of its first 64 KiB, without its date. If anything behind them changes and
# the size stays, the server gets the start of the old file and the end of the new one, and upload() returns without an error.
# Version: tuspy 1.1.0, resumable-upload 0.3.0 as the server (PyPI). Source: tusclient/fingerprint/fingerprint.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile tuspy==1.1.0 resumable-upload==0.3.0
cd "$folder"
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import pathlib, socket, subprocess, sys, time
from tusclient.client import TusClient
from tusclient.storage.filestorage import FileStorage
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = subprocess.Popen([sys.executable, "-m", "resumable_upload", "serve", "--host", "127.0.0.1", "--port", str(port)],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
try:
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            break
        except OSError:
            time.sleep(0.1)
    def upload(content, **part):
        pathlib.Path("file").write_bytes(content)
        uploader = TusClient(f"http://127.0.0.1:{port}/files").uploader(
            "file", chunk_size=1 << 19, store_url=True, url_storage=FileStorage("urls.json"))
        uploader.upload(**part)
        return pathlib.Path("uploads", uploader.url.rsplit("/", 1)[1]).read_bytes()
    start = bytes(1 << 16)
    old, new = start + b"old " * (1 << 18), start + b"new " * (1 << 18)
    upload(old, stop_at=1 << 19)
    stored = upload(new)
finally:
    server.terminate()
    server.wait()
print(f"the new file: {stored == new}; of the old one: {stored.count(b'old ')} words, of the new one: {stored.count(b'new ')}")
sys.exit(stored == new or len(stored) != len(new) or b"old " not in stored)
PYTHON
