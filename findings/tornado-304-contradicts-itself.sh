#!/usr/bin/env bash
# Tornado says 304 for a file that has changed, with the new date in the same response.
#
# One would guess: a strong ETag of a static file changes with the file, so that 304 proves that the client's copy is current.
# Seen: StaticFileHandler computes its hash once in the life of the process. After the file was replaced, If-None-Match with
# the old ETag still gets 304 with the old ETag, and a Last-Modified that is newer than that of the copy. A GET without
# conditions sends the new bytes under the old ETag.
# Version: Tornado 6.5.1. Source: StaticFileHandler._get_cached_version in tornado/web.py ("_static_hashes"), RFC 9110 section 8.8.1.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile tornado==6.5.1
mkdir "$folder/root"
timeout 60 "$folder/env/bin/python" - "$folder/root" 2>/dev/null <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, os, sys
import tornado.httpclient, tornado.httpserver, tornado.testing, tornado.web
path = os.path.join(sys.argv[1], "file")
def write(text, date):
    with open(path, "w") as file:
        file.write(text)
    os.utime(path, (date, date))
async def run():
    application = tornado.web.Application([("/(.*)", tornado.web.StaticFileHandler, {"path": sys.argv[1]})])
    socket, port = tornado.testing.bind_unused_port()
    server = tornado.httpserver.HTTPServer(application)
    server.add_sockets([socket])
    async def get(**fields):
        url = f"http://127.0.0.1:{port}/file"
        return await tornado.httpclient.AsyncHTTPClient().fetch(url, headers=fields, raise_error=False)
    write("old", 1_000_000_000)
    first = await get()
    write("new and longer", 1_500_000_000)
    second = await get(**{"If-None-Match": first.headers["ETag"]})
    third = await get()
    for name, response in ("first", first), ("If-None-Match", second), ("again", third):
        print(f"{name}: {response.code}, {response.headers['Last-Modified']}, ETag {response.headers['ETag'][:8]}…, {response.body}")
    tags = {response.headers["ETag"] for response in (first, second, third)}
    newer = first.headers["Last-Modified"] != second.headers["Last-Modified"]
    return second.code == 304 and len(tags) == 1 and newer and third.body == b"new and longer"
sys.exit(not asyncio.run(run()))
PYTHON
