#!/usr/bin/env bash
# WhiteNoise sends the first part of a file that has grown, under its old length and ETag.
#
# One would guess: a file that changes on the disk is served as it was at the start, or as it is now.
# Seen: the size and the ETag are those at the start, and the bytes are those of now. A client gets the start of the new
# file and takes it for a complete old one, as Content-Length, ETag and status 200 say.
# Version: WhiteNoise 6.9.0, with its default autorefresh=False. Source: StaticFile in whitenoise/responders.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile whitenoise==6.9.0
mkdir "$folder/files"
cat >"$folder/ask.py" <<'PYTHON'
import pathlib, sys
from wsgiref.util import setup_testing_defaults
from whitenoise import WhiteNoise

path = pathlib.Path(sys.argv[1], "f.bin")
path.write_bytes(b"a" * 10)

def missing(environ, start):
    start("404 Not Found", [])
    return []

application = WhiteNoise(missing, root=sys.argv[1])

def get():
    environ, seen = {"PATH_INFO": "/f.bin"}, {}
    setup_testing_defaults(environ)
    body = b"".join(application(environ, lambda status, headers: seen.update(dict(headers), status=status)))
    return seen["status"], seen["Content-Length"], seen["ETag"], body

before = get()
path.write_bytes(b"b" * 15)
after = get()
print("before:", *before)
print("after: ", *after)
length = int(after[1])
# A server sends no more than Content-Length says.
sys.exit(not (before[:3] == after[:3] and length == 10 and after[3][:length] == b"b" * 10))
PYTHON
timeout 60 "$folder/env/bin/python" "$folder/ask.py" "$folder/files" || { echo "this has changed" >&2; exit 1; }
