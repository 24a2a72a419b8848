import asyncio

from behavior import SUBPROTOCOL, behave
from quart import Quart, abort, websocket

application = Quart(__name__)


class Socket:
    def __init__(self):
        self.sleep, self.receive, self.send = asyncio.sleep, websocket.receive, websocket.send
        self.subprotocol = SUBPROTOCOL if SUBPROTOCOL in websocket.requested_subprotocols else None

    async def close(self, code, reason):
        await websocket.close(code, reason)


@application.websocket("/<path:path>")
async def endpoint(path):
    if path == "refuse":
        abort(403)
    socket = Socket()
    await websocket.accept(subprotocol=socket.subprotocol)
    await behave(path, socket)
