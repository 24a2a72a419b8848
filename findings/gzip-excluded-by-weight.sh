#!/usr/bin/env bash
# The gzip of Starlette, Django, aiohttp and Tornado ignores "gzip;q=0".
#
# One would guess: a client that cannot decode gzip, or wants the exact bytes, sends "identity, gzip;q=0" and gets no gzip.
# RFC 9110 section 12.5.3: a coding with the weight 0 is not acceptable.
# Seen: all four look for the word gzip in the field and send gzip, for "x-gzip" too. Only "identity" alone prevents it.
# Version: Starlette 0.47.2, Django 5.2, aiohttp 3.12.15, Tornado 6.5.1. Source: GZipResponder in starlette/middleware/gzip.py,
# re_accepts_gzip in django/middleware/gzip.py, enable_compression in aiohttp/web_response.py, GZipContentEncoding in tornado/web.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile starlette==0.47.2 httpx==0.28.1 \
    django==5.2 aiohttp==3.12.15 tornado==6.5.1
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, sys
import aiohttp, django, httpx, tornado.httpserver, tornado.testing, tornado.web
from aiohttp import web
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
settings.configure()
django.setup()
from django.middleware.gzip import GZipMiddleware as DjangoMiddleware
text = "text " * 500
async def starlette_coding(field):
    transport = httpx.ASGITransport(GZipMiddleware(PlainTextResponse(text)))
    async with httpx.AsyncClient(transport=transport) as client:
        return (await client.get("http://test/", headers={"Accept-Encoding": field})).headers.get("Content-Encoding")
async def django_coding(field):
    request = RequestFactory().get("/", headers={"Accept-Encoding": field})
    return DjangoMiddleware(lambda request: HttpResponse(text))(request).headers.get("Content-Encoding")
async def over_socket(port, field):
    async with aiohttp.ClientSession(auto_decompress=False) as session:
        async with session.get(f"http://127.0.0.1:{port}/", headers={"Accept-Encoding": field}) as response:
            return response.headers.get("Content-Encoding")
async def aiohttp_coding(field):
    async def handler(request):
        response = web.Response(text=text)
        response.enable_compression()
        return response
    application = web.Application()
    application.router.add_get("/", handler)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    coding = await over_socket(runner.addresses[0][1], field)
    await runner.cleanup()
    return coding
class Handler(tornado.web.RequestHandler):
    def get(self): self.write(text)
async def tornado_coding(field):
    socket, port = tornado.testing.bind_unused_port()
    server = tornado.httpserver.HTTPServer(tornado.web.Application([("/", Handler)], compress_response=True))
    server.add_sockets([socket])
    coding = await over_socket(port, field)
    server.stop()
    return coding
seen = {}
for field in "identity", "identity, gzip;q=0":
    seen[field] = [asyncio.run(coding(field)) for coding in (starlette_coding, django_coding, aiohttp_coding, tornado_coding)]
    print(f"Accept-Encoding: {field}: Starlette, Django, aiohttp, Tornado: {seen[field]}")
sys.exit(list(seen.values()) != [[None] * 4, ["gzip"] * 4])
PYTHON
