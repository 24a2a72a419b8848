import asyncio
import sys

from behavior import LIMIT, PING_INTERVAL, PING_TIMEOUT, SUBPROTOCOL, behave
from sanic import Forbidden, Sanic
from sanic.exceptions import WebsocketClosed

application = Sanic("servers")
application.config.WEBSOCKET_MAX_SIZE = LIMIT
application.config.WEBSOCKET_PING_INTERVAL = PING_INTERVAL
application.config.WEBSOCKET_PING_TIMEOUT = PING_TIMEOUT


class Socket:
    def __init__(self, socket):
        self.socket, self.subprotocol = socket, socket.subprotocol
        self.send, self.close, self.sleep = socket.send, socket.close, asyncio.sleep

    async def receive(self):
        try:
            return await self.socket.recv()
        except WebsocketClosed:
            return None


@application.on_request
async def refuse(request):
    if request.path == "/refuse":
        raise Forbidden("refused")


# With subprotocols, Sanic refuses clients that offer none.
@application.websocket("/subprotocol", subprotocols=[SUBPROTOCOL], name="subprotocol")
@application.websocket("/<path:path>")
async def endpoint(request, socket, path="subprotocol"):
    await behave(path, Socket(socket))


if __name__ == "__main__":
    application.run("127.0.0.1", int(sys.argv[1]), single_process=True, access_log=False, motd=False)
