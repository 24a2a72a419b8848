"""The same for aiohttp: `aiohttp_app.py PORT`. Forms are read by aiohttp."""

import sys

import shapes
from aiohttp import web


def json(content):
    return web.Response(body=content, content_type="application/json")


async def echo(request):
    return json(shapes.echo(request.method, request.headers.items(), await request.read()))


async def form(request):
    values = list((await request.post()).items())
    files = [(name, value) for name, value in values if isinstance(value, web.FileField)]
    return json(shapes.form([(name, value) for name, value in values if isinstance(value, str)],
                            [(name, file.filename, file.file.read()) for name, file in files]))


async def early(request):
    status = shapes.EARLY[request.path]
    return web.Response(status=status, body=shapes.EARLY_BODY, headers=dict(shapes.early_headers(status)))


async def chunks(request):
    response = web.StreamResponse(headers={"Content-Type": "text/plain"})
    await response.prepare(request)
    for part in shapes.PARTS:
        await response.write(part)
    return response


async def compressed(request):
    return web.Response(body=shapes.COMPRESSED, headers={"Content-Encoding": "gzip", "Content-Type": "text/plain"})


async def empty(request):
    return web.Response(status=204)


application = web.Application(client_max_size=2**26)
for path, handler in {"/echo": echo, "/form": form, "/chunks": chunks, "/gzip": compressed, "/empty": empty,
                      **dict.fromkeys(shapes.EARLY, early)}.items():
    application.router.add_route("*", path, handler)
web.run_app(application, host="127.0.0.1", port=int(sys.argv[1]))
