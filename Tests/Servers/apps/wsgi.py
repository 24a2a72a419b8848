"""The WSGI application. Forms are read by Werkzeug."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))

import shapes
from werkzeug.formparser import parse_form_data


def application(environ, start_response):
    path = environ["PATH_INFO"]
    if path in shapes.EARLY:
        return respond(start_response, shapes.EARLY[path], shapes.EARLY_BODY, shapes.early_headers(shapes.EARLY[path]))
    if path == "/echo":
        headers = [(key.removeprefix("HTTP_"), value) for key, value in environ.items()
                   if key.startswith("HTTP_") or key in ("CONTENT_TYPE", "CONTENT_LENGTH")]
        return respond(start_response, 200, shapes.echo(environ["REQUEST_METHOD"], headers, body(environ)))
    if path == "/form":
        _, fields, files = parse_form_data(environ)
        return respond(start_response, 200, shapes.form(
            fields.items(multi=True),
            [(name, file.filename, file.read()) for name, file in files.items(multi=True)]))
    if path == "/chunks":
        start_response("200 OK", [("Content-Type", "text/plain")])
        return iter(shapes.PARTS)
    if path == "/gzip":
        return respond(start_response, 200, shapes.COMPRESSED, [("Content-Encoding", "gzip"),
                                                                ("Content-Type", "text/plain")])
    if path == "/empty":
        start_response("204 No Content", [])
        return []
    return respond(start_response, 404, b"{}")


def respond(start_response, status, content, headers=(("Content-Type", "application/json"),)):
    start_response(f"{status} {shapes.REASONS[status]}", [*headers, ("Content-Length", str(len(content)))])
    return [content]


def body(environ):
    # PEP 3333 has no bodies of unknown length; servers that read them announce it as Werkzeug and gunicorn do.
    if environ.get("wsgi.input_terminated"):
        return environ["wsgi.input"].read()
    remaining, parts = int(environ.get("CONTENT_LENGTH") or 0), []
    while remaining and (part := environ["wsgi.input"].read(remaining)):
        parts.append(part)
        remaining -= len(part)
    return b"".join(parts)


def main():
    """The servers that have no command of their own: `wsgi.py wsgiref|werkzeug|cheroot PORT`."""
    kind, port = sys.argv[1], int(sys.argv[2])
    if kind == "wsgiref":
        from wsgiref.simple_server import make_server
        make_server("127.0.0.1", port, application).serve_forever()
    elif kind == "werkzeug":
        from werkzeug.serving import run_simple
        run_simple("127.0.0.1", port, application, threaded=True)
    elif kind == "cheroot":
        from cheroot.wsgi import Server
        Server(("127.0.0.1", port), application).start()


if __name__ == "__main__":
    main()
