"""The same for Sanic: `sanic_app.py PORT`. Forms are read by Sanic."""

import sys

import shapes
from sanic import Sanic
from sanic.response import HTTPResponse, raw

app = Sanic("table")
METHODS = ("GET", "HEAD", "POST", "PUT")


def json(content):
    return raw(content, content_type="application/json")


# Without ignore_body=False, Sanic does not read the body of a GET.
@app.route("/echo", methods=METHODS, ignore_body=False)
async def echo(request):
    return json(shapes.echo(request.method, request.headers.items(), request.body))


@app.post("/form")
async def form(request):
    fields = [(name, value) for name, values in request.form.items() for value in values]
    return json(shapes.form(fields, [(name, file.name, file.body) for name, files in request.files.items()
                                     for file in files]))


async def early(request):
    status = shapes.EARLY[request.path]
    return HTTPResponse(shapes.EARLY_BODY, status=status, headers=dict(shapes.early_headers(status)))


for path in shapes.EARLY:
    app.add_route(early, path, methods=METHODS, stream=True, name=f"early{path[1:]}")


@app.get("/chunks")
async def chunks(request):
    response = await request.respond(content_type="text/plain")
    for part in shapes.PARTS:
        await response.send(part)
    await response.eof()


@app.get("/gzip")
async def compressed(request):
    return raw(shapes.COMPRESSED, content_type="text/plain", headers={"Content-Encoding": "gzip"})


@app.get("/empty")
async def empty(request):
    return HTTPResponse(status=204)


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=int(sys.argv[1]), single_process=True, motd=False)
