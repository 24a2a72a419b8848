from behavior import SUBPROTOCOL, behave
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocketDisconnect

import asyncio


class Socket:
    def __init__(self, socket, subprotocol):
        self.socket, self.subprotocol = socket, subprotocol
        self.sleep, self.close = asyncio.sleep, socket.close

    async def receive(self):
        try:
            message = await self.socket.receive()
            self.socket._raise_on_disconnect(message)
        except WebSocketDisconnect:
            return None
        return message["bytes"] if message.get("text") is None else message["text"]

    async def send(self, data):
        await (self.socket.send_text if isinstance(data, str) else self.socket.send_bytes)(data)


async def endpoint(socket):
    if socket.url.path == "/refuse":
        await socket.close()
        return
    subprotocol = SUBPROTOCOL if SUBPROTOCOL in socket.scope["subprotocols"] else None
    await socket.accept(subprotocol)
    await behave(socket.url.path, Socket(socket, subprotocol))


application = Starlette(routes=[WebSocketRoute("/{path:path}", endpoint)])
