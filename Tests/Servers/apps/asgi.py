"""The ASGI application. Forms are read by Starlette with python-multipart."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import shapes
from starlette.datastructures import UploadFile
from starlette.requests import Request

JSON = (("Content-Type", "application/json"),)


async def application(scope, receive, send):
    if scope["type"] != "http":
        # Servers go on without lifespan events if the application refuses them.
        raise NotImplementedError(scope["type"])
    path = scope["path"]
    if path in shapes.EARLY:
        await respond(send, shapes.EARLY[path], shapes.early_headers(shapes.EARLY[path]), [shapes.EARLY_BODY])
    elif path == "/echo":
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in scope["headers"]]
        await respond(send, 200, JSON, [shapes.echo(scope["method"], headers, await body(receive))])
    elif path == "/form":
        fields, files = [], []
        async with Request(scope, receive).form() as form:
            for name, value in form.multi_items():
                if isinstance(value, UploadFile):
                    files.append((name, value.filename, await value.read()))
                else:
                    fields.append((name, value))
        await respond(send, 200, JSON, [shapes.form(fields, files)])
    elif path == "/chunks":
        await respond(send, 200, [("Content-Type", "text/plain")], shapes.PARTS)
    elif path == "/gzip":
        await respond(send, 200, [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")], [shapes.COMPRESSED])
    elif path == "/empty":
        await respond(send, 204, [], [])
    else:
        await respond(send, 404, JSON, [b"{}"])


async def respond(send, status, headers, parts):
    headers = [(name.lower().encode(), value.encode()) for name, value in headers]
    if len(parts) == 1:
        headers.append((b"content-length", str(len(parts[0])).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    for part in parts:
        await send({"type": "http.response.body", "body": part, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


async def body(receive):
    parts = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return b"".join(parts)
        parts.append(message.get("body", b""))
        if not message.get("more_body"):
            return b"".join(parts)
