#!/usr/bin/env bash
# tuspyserver stores bytes twice after it was killed during a PATCH, and says that the upload is complete.
#
# One would guess: after a restart, a server continues at the offset that it answers to HEAD: what it has beyond is overwritten.
# Seen: the body goes to the file as it arrives, the offset to a second file only at the end of the PATCH. After a kill at 2 of
# 3 MB, HEAD says 0, and the next PATCH, which sends everything, is appended: the file has 5 MB, and Upload-Offset is 3000000.
# A client that does everything right cannot see it, as no response says more, and the server has no checksums.
# Version: tuspyserver 4.4.3 (PyPI), FastAPI 0.165.0. Source: make_request_chunks_dep in tuspyserver/request.py, open(…, "ab").
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile tuspyserver==4.4.3 fastapi==0.165.0 uvicorn==0.54.0
timeout 60 "$folder/env/bin/python" - "$folder" <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import os, re, socket, subprocess, sys, time
folder = sys.argv[1]
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
code = ("import fastapi, tuspyserver, uvicorn; app = fastapi.FastAPI(); app.include_router("
        f"tuspyserver.create_tus_router(prefix='files', files_dir={folder + '/files'!r})); "
        f"uvicorn.run(app, port={port}, log_level='critical')")

def start():
    server = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    for _ in range(200):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return server
        except OSError:
            time.sleep(0.1)

def send(method, path, body=b"", **fields):
    connection = socket.create_connection(("127.0.0.1", port), 10)
    fields = {"Host": "127.0.0.1", "Tus-Resumable": "1.0.0", "Content-Length": str(len(body)), "Connection": "close",
              **{name.replace("_", "-"): value for name, value in fields.items()}}
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
    return connection

def ask(*arguments, **fields):
    with send(*arguments, **fields) as connection:
        return connection.makefile("rb").read().decode("latin-1")

def offset(response):
    return int(re.search(r"(?i)upload-offset: (\d+)", response)[1])

server = start()
try:
    created = ask("POST", "/files/", Upload_Length="3000000", Upload_Metadata="filename Zg==,filetype dGV4dC9wbGFpbg==")
    path = re.search(r"(?i)location: (?:http://[^/]*)?(\S+)", created)[1]
    stored = f"{folder}/files/{path.rsplit('/', 1)[1]}"
    content = os.urandom(3_000_000)
    patch = {"Upload_Offset": "0", "Content_Type": "application/offset+octet-stream"}
    half = send("PATCH", path, content[:2_000_000], **{**patch, "Content-Length": "3000000"})
    for _ in range(100):
        if os.path.getsize(stored) == 2_000_000:
            break
        time.sleep(0.1)
    server.kill()
    server.wait()
    half.close()
    server = start()
    after = offset(ask("HEAD", path))
    end = offset(ask("PATCH", path, content, **patch))
finally:
    server.kill()
    server.wait()
print(f"offset after the restart: {after}; after the next PATCH: {end}; bytes in the file: {os.path.getsize(stored)}")
sys.exit((after, end, os.path.getsize(stored)) != (0, 3_000_000, 5_000_000))
PYTHON
