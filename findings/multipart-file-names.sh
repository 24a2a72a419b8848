#!/usr/bin/env bash
# Of five frameworks, four keep the %22 that browsers write for a quotation mark in a file name, and two drop a backslash.
#
# One would guess: a file named a"b.txt, which browsers and curl >= 7.81 send as filename="a%22b.txt", arrives under its name.
# Seen: only Werkzeug decodes %22. Django, Starlette, Tornado and aiohttp name the file a%22b.txt. A backslash, which
# browsers leave as it is, is a path separator for Django, an escape for aiohttp, and a character for the others.
# Version: Django 5.2, Werkzeug 3.1.3, Starlette 0.47.2 with python-multipart 0.0.20, Tornado 6.5.1, aiohttp 3.12.15.
# Source: "multipart/form-data encoding algorithm" of the HTML standard, RFC 7578 section 4.2.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile django==5.2 werkzeug==3.1.3 starlette==0.47.2 \
    python-multipart==0.0.20 tornado==6.5.1 aiohttp==3.12.15
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, io, sys
from unittest import mock
from aiohttp import MultipartReader, StreamReader
from django.conf import settings
from django.core.files.uploadhandler import MemoryFileUploadHandler
from django.http.multipartparser import MultiPartParser
from starlette.requests import Request
from tornado.httputil import parse_body_arguments
from werkzeug.formparser import FormDataParser
settings.configure()
form = "multipart/form-data; boundary=B"
def django(body):
    handler = MemoryFileUploadHandler()
    handler.activated = True
    meta = {"CONTENT_TYPE": form, "CONTENT_LENGTH": str(len(body))}
    return MultiPartParser(meta, io.BytesIO(body), [handler]).parse()[1]["f"].name
def werkzeug(body):
    return FormDataParser().parse(io.BytesIO(body), "multipart/form-data", len(body), {"boundary": "B"})[2]["f"].filename
def starlette(body):
    async def receive(): return {"type": "http.request", "body": body}
    async def name(): return (await Request(scope, receive).form())["f"].filename
    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", form.encode())]}
    return asyncio.run(name())
def tornado(body):
    files = {}
    parse_body_arguments(form, body, {}, files)
    return files["f"][0].filename
def aiohttp(body):
    async def name():
        stream = StreamReader(mock.Mock(_reading_paused=False), 65536, loop=asyncio.get_running_loop())
        stream.feed_data(body)
        stream.feed_eof()
        return (await MultipartReader({"Content-Type": form}, stream).next()).filename
    return asyncio.run(name())
seen = {}
for name in 'filename="a%22b.txt"', 'filename="a\\b.txt"':
    body = f'--B\r\nContent-Disposition: form-data; name="f"; {name}\r\n\r\nx\r\n--B--\r\n'.encode()
    seen[name] = [read(body) for read in (django, werkzeug, starlette, tornado, aiohttp)]
    print(f"{name}: {', '.join(seen[name])}")
sys.exit(list(seen.values()) != [
    ["a%22b.txt", 'a"b.txt', "a%22b.txt", "a%22b.txt", "a%22b.txt"],
    ["b.txt", "a\\b.txt", "a\\b.txt", "a\\b.txt", "ab.txt"]])
PYTHON
