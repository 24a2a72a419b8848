import asyncio
import os

from tornado.web import Application, StaticFileHandler


async def main():
    options = {"path": os.environ["ROOT"], "default_filename": "index.html"}
    application = Application([("/(.*)", StaticFileHandler, options)], compress_response=True)
    application.listen(int(os.environ["PORT"]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
