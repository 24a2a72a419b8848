#!/usr/bin/env bash
# Servers refuse a range in an unknown unit or read it as bytes, instead of ignoring it.
#
# One would guess: "Range: seconds=5-9" gives the complete file with 200. RFC 9110 section 14.2: "An origin server MUST ignore a
# Range header field that contains a range unit it does not understand".
# Seen: Starlette answers 400, aiohttp 416, and CherryPy 206 with "Content-Range: bytes 5-9/100". Tornado answers 200.
# Version: Starlette 0.47.2, aiohttp 3.12.15, CherryPy 18.10.0, Tornado 6.5.1. Source: FileResponse in starlette/responses.py,
# BaseRequest.http_range in aiohttp/web_request.py, get_ranges in cherrypy/lib/httputil.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile starlette==0.47.2 httpx==0.28.1 aiohttp==3.12.15 \
    cherrypy==18.10.0 tornado==6.5.1
mkdir "$folder/root"
head -c 100 /dev/zero >"$folder/root/file"
timeout 60 "$folder/env/bin/python" - "$folder/root" 2>/dev/null <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, sys
import cherrypy, httpx, tornado.httpserver, tornado.testing, tornado.web
from aiohttp import web
from starlette.staticfiles import StaticFiles
root = sys.argv[1]
async def get(url, transport=None):
    async with httpx.AsyncClient(transport=transport, trust_env=False) as client:
        response = await client.get(url, headers={"Range": "seconds=5-9"})
        return response.status_code, response.headers.get("Content-Range")
async def through_starlette():
    return await get("http://test/file", httpx.ASGITransport(StaticFiles(directory=root)))
async def through_aiohttp():
    application = web.Application()
    application.router.add_static("/", root)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    seen = await get(f"http://127.0.0.1:{runner.addresses[0][1]}/file")
    await runner.cleanup()
    return seen
async def through_tornado():
    socket, port = tornado.testing.bind_unused_port()
    handler = ("/(.*)", tornado.web.StaticFileHandler, {"path": root})
    server = tornado.httpserver.HTTPServer(tornado.web.Application([handler]))
    server.add_sockets([socket])
    return await get(f"http://127.0.0.1:{port}/file")
def through_cherrypy():
    cherrypy.config.update({"log.screen": False})
    application = cherrypy.tree.mount(None, "", {"/": {"tools.staticdir.on": True, "tools.staticdir.dir": root}})
    with httpx.Client(transport=httpx.WSGITransport(application)) as client:
        response = client.get("http://test/file", headers={"Range": "seconds=5-9"})
        return response.status_code, response.headers.get("Content-Range")
seen = {
    "Starlette": asyncio.run(through_starlette()), "aiohttp": asyncio.run(through_aiohttp()),
    "CherryPy": through_cherrypy(), "Tornado": asyncio.run(through_tornado()),
}
for name, (status, field) in seen.items():
    print(f"{name}: {status}, Content-Range {field}")
sys.exit(list(seen.values()) != [(400, None), (416, "bytes */100"), (206, "bytes 5-9/100"), (200, None)])
PYTHON
