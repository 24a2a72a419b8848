#!/usr/bin/env bash
# requests and httpx lose rel="next" behind a title that contains "=", and cut a URL with a semicolon.
#
# One would guess: the parsers of Link fields read a quoted parameter and the URL between < and > as one unit, so that a
# client which follows rel="next" pages to the end.
# Seen: <http://h/a>; title="a=b"; rel="next" has no rel in requests and httpx. <http://h/a;b=1>; rel="next" has the URL
# http://h/a. aiohttp reads both.
# Version: requests 2.32.4, httpx 0.28.1, aiohttp 3.12.15. Source: RFC 8288 section 3 and appendix B.2,
# parse_header_links in requests/utils.py, _parse_header_links in httpx/_models.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile requests==2.32.4 httpx==0.28.1 aiohttp==3.12.15
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, sys
import aiohttp, httpx, requests
from aiohttp import web
async def through_aiohttp(fields):
    async def handler(request): return web.Response(headers={"Link": fields[int(request.path[1:])]})
    application = web.Application()
    application.router.add_get("/{number}", handler)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    urls = []
    async with aiohttp.ClientSession() as session:
        for number in range(len(fields)):
            async with session.get(f"http://127.0.0.1:{port}/{number}") as response:
                urls.append(str(response.links["next"]["url"]))
    await runner.cleanup()
    return urls
fields = ['<http://h/a>; title="a=b"; rel="next"', '<http://h/a;b=1>; rel="next"']
seen = []
for field, aiohttp_url in zip(fields, asyncio.run(through_aiohttp(fields))):
    response = requests.Response()
    response.headers["Link"] = field
    urls = [links.get("next", {}).get("url") for links in (response.links, httpx.Response(200, headers={"Link": field}).links)]
    seen.append(urls + [aiohttp_url])
    print(f"{field}: requests {urls[0]}, httpx {urls[1]}, aiohttp {aiohttp_url}")
sys.exit(seen != [[None, None, "http://h/a"], ["http://h/a", "http://h/a", "http://h/a;b=1"]])
PYTHON
