#!/usr/bin/env bash
# tussi forgets what it received of a PATCH whose connection broke, so an upload in one request never gets further.
#
# One would guess: a tus server keeps what arrives, so that a client resumes there. tus 1.0.0, PATCH: "The Server SHOULD always
# attempt to store as much of the received data as possible."
# Seen: tussi collects the body of a PATCH in memory, and writes it at its end. After 2 of 3 MB and a broken connection, HEAD
# says offset 0; resumable-upload and tuspyserver say 2000000. By its default, tussi also refuses a PATCH of more than 10 MB with
# 413, and no response to OPTIONS, POST or HEAD mentions that limit.
# Version: tussi 3.1.0, resumable-upload 0.3.0, tuspyserver 4.4.3 (PyPI). Source: TUSApp._handle_patch and
# _validate_patch_headers in tussi/app.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile tussi==3.1.0 resumable-upload==0.3.0 \
    tuspyserver==4.4.3 fastapi==0.165.0 uvicorn==0.54.0
timeout 100 "$folder/env/bin/python" - "$folder" <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import re, socket, subprocess, sys, time
folder = sys.argv[1]
servers = {
    "tussi": "import tussi, uvicorn; uvicorn.run(tussi.TUSApp(tussi.FilesystemStorage(FOLDER), FOLDER + '/complete'), "
             "port=PORT, log_level='critical', lifespan='off')",
    "resumable-upload": "from resumable_upload.__main__ import main; import sys; sys.argv[1:] = ['serve', '--host', '127.0.0.1', "
                        "'--port', str(PORT), '--upload-dir', FOLDER, '--db-path', FOLDER + '.db']; main()",
    "tuspyserver": "import fastapi, tuspyserver, uvicorn; app = fastapi.FastAPI(); app.include_router("
                   "tuspyserver.create_tus_router(prefix='files', files_dir=FOLDER)); "
                   "uvicorn.run(app, port=PORT, log_level='critical')",
}

def ask(port, method, path, body=b"", breaks=False, **fields):
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        fields = {"Host": "127.0.0.1", "Tus-Resumable": "1.0.0", "Content-Length": str(len(body)), "Connection": "close",
                  **{name.replace("_", "-"): value for name, value in fields.items()}}
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
        connection.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
        return "" if breaks else connection.makefile("rb").read().decode("latin-1")

def visit(name, code):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = code.replace("PORT", str(port)).replace("FOLDER", repr(f"{folder}/{name}"))
    server = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                break
            except OSError:
                time.sleep(0.1)
        created = ask(port, "POST", "/files/", Upload_Length="3000000", Upload_Metadata="filename Zg==,filetype dGV4dC9wbGFpbg==")
        path = re.search(r"(?i)location: (?:http://[^/]*)?(\S+)", created)[1]
        patch = dict(Upload_Offset="0", Content_Type="application/offset+octet-stream")
        ask(port, "PATCH", path, b"x" * 2_000_000, breaks=True, **{**patch, "Content-Length": "3000000"})
        time.sleep(1)
        return int(re.search(r"(?i)upload-offset: (\d+)", ask(port, "HEAD", path))[1])
    finally:
        server.terminate()
        server.wait()

seen = {name: visit(name, code) for name, code in servers.items()}
print(f"offset after 2000000 of 3000000 bytes in one PATCH: {seen}")
sys.exit(seen != {"tussi": 0, "resumable-upload": 2_000_000, "tuspyserver": 2_000_000})
PYTHON
