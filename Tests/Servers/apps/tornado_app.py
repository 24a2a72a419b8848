"""The same for Tornado: `tornado_app.py PORT`. Forms are read by Tornado."""

import asyncio
import sys

import shapes
from tornado.web import Application, RequestHandler, stream_request_body


class Handler(RequestHandler):
    SUPPORTED_METHODS = ("GET", "HEAD", "POST", "PUT")

    def json(self, content):
        self.set_header("Content-Type", "application/json")
        self.write(content)


class Echo(Handler):
    def get(self):
        self.json(shapes.echo(self.request.method, self.request.headers.get_all(), self.request.body))

    head = post = put = get


class Form(Handler):
    def post(self):
        fields = [(name, value.decode()) for name, values in self.request.body_arguments.items() for value in values]
        self.json(shapes.form(fields, [(name, file.filename, file.body) for name, files in self.request.files.items()
                                       for file in files]))


@stream_request_body
class Early(Handler):
    def initialize(self, status):
        self.status = status

    def prepare(self):
        self.set_status(self.status)
        for name, value in shapes.early_headers(self.status):
            self.set_header(name, value)
        self.finish(shapes.EARLY_BODY)

    def data_received(self, chunk):
        pass


class Chunks(Handler):
    async def get(self):
        for part in shapes.PARTS:
            self.write(part)
            await self.flush()


class Compressed(Handler):
    def get(self):
        self.set_header("Content-Type", "text/plain")
        self.set_header("Content-Encoding", "gzip")
        self.write(shapes.COMPRESSED)


class Empty(Handler):
    def get(self):
        self.set_status(204)


async def main():
    early = [(path, Early, {"status": status}) for path, status in shapes.EARLY.items()]
    Application([("/echo", Echo), ("/form", Form), ("/chunks", Chunks), ("/gzip", Compressed), ("/empty", Empty),
                 *early]).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
