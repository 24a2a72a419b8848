#!/usr/bin/env bash
# tuspyserver cannot say the offset of an upload that was created without a file name and type.
#
# One would guess: Upload-Metadata is optional, as the tus protocol says, so an upload created without it can be resumed.
# Seen: POST is answered with 201, and PATCH with 204, but HEAD with 400 "missing required field: filename", or "filetype" if
# only that one is missing: a client learns that its upload cannot be resumed after the connection broke.
# Version: tuspyserver 4.4.3 (PyPI), FastAPI 0.165.0. Source: core_head_route in tuspyserver/routes/core.py; tus 1.0.0,
# "Upload-Metadata".
set -euo pipefail
folder=$(mktemp -d)
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile tuspyserver==4.4.3 fastapi==0.165.0 uvicorn==0.54.0
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
cat >"$folder/app.py" <<PYTHON
import fastapi, tuspyserver, uvicorn
app = fastapi.FastAPI()
app.include_router(tuspyserver.create_tus_router(prefix="files", files_dir="$folder/files"))
uvicorn.run(app, host="127.0.0.1", port=$port, log_level="critical")
PYTHON
timeout 60 "$folder/env/bin/python" "$folder/app.py" 2>"$folder/log" &
server=$!
ask=(curl -qsS -m 10 -o /dev/null -H 'Tus-Resumable: 1.0.0')
for _ in $(seq 100); do "${ask[@]}" "http://127.0.0.1:$port/" 2>/dev/null && break; sleep 0.1; done
seen=
for metadata in '' 'filename Zg==' 'filename Zg==,filetype dGV4dC9wbGFpbg=='; do
    read -r created url < <("${ask[@]}" -X POST -H 'Upload-Length: 10' ${metadata:+-H "Upload-Metadata: $metadata"} \
        -w '%{http_code} %header{location}\n' "http://127.0.0.1:$port/files/")
    sent=$("${ask[@]}" -X PATCH -H 'Upload-Offset: 0' -H 'Content-Type: application/offset+octet-stream' --data-binary 12345 \
        -w '%{http_code}' "$url")
    head=$("${ask[@]}" -I -w '%{http_code}' "$url")
    echo "metadata '$metadata': POST $created, PATCH $sent, HEAD $head"
    seen+="$created $sent $head; "
done
[[ $seen == "201 204 400; 201 204 400; 201 204 200; " ]] || { echo "this has changed" >&2; exit 1; }
