import asyncio
import sys

from behavior import LIMIT, PING_INTERVAL, SUBPROTOCOL, behave
from tornado.web import Application, HTTPError
from tornado.websocket import WebSocketHandler


class Handler(WebSocketHandler):
    """A queue between the callbacks and the coroutine; an exception of /raise is raised where Tornado sees it."""

    sleep = staticmethod(asyncio.sleep)

    def prepare(self):
        if self.request.path == "/refuse":
            raise HTTPError(403)

    def select_subprotocol(self, subprotocols):
        return SUBPROTOCOL if SUBPROTOCOL in subprotocols else None

    def get_compression_options(self):
        return {}

    def open(self, *_):
        self.subprotocol, self.messages = self.selected_subprotocol, asyncio.Queue()
        if self.request.path != "/raise":
            self.task = asyncio.create_task(self.behave())

    async def behave(self):
        await behave(self.request.path, Socket(self))
        if self.request.path == "/return":
            self.close()

    def on_message(self, message):
        if self.request.path == "/raise":
            raise RuntimeError("the handler failed")
        self.messages.put_nowait(message)

    def on_close(self):
        self.messages.put_nowait(None)

    async def receive(self):
        return await self.messages.get()

    async def send(self, data):
        await self.write_message(data, binary=isinstance(data, bytes))

    async def close_(self, code, reason):
        WebSocketHandler.close(self, code, reason)


class Socket:
    def __init__(self, handler):
        self.__dict__ = {name: getattr(handler, name) for name in ("receive", "send", "sleep", "subprotocol")}
        self.close = handler.close_


async def main():
    settings = {"websocket_max_message_size": LIMIT, "websocket_ping_interval": PING_INTERVAL}
    Application([(r"/.*", Handler)], **settings).listen(int(sys.argv[1]), "127.0.0.1")
    await asyncio.Event().wait()


asyncio.run(main())
