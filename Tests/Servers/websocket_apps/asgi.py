"""The plain ASGI application."""

import asyncio

from behavior import SUBPROTOCOL, behave


class Socket:
    def __init__(self, receive, send, subprotocol):
        self.receive_event, self.send_event, self.subprotocol = receive, send, subprotocol
        self.sleep = asyncio.sleep

    async def receive(self):
        event = await self.receive_event()
        if event["type"] != "websocket.receive":
            return None
        return event["bytes"] if event.get("text") is None else event["text"]

    async def send(self, data):
        await self.send_event({"type": "websocket.send", "text" if isinstance(data, str) else "bytes": data})

    async def close(self, code, reason):
        await self.send_event({"type": "websocket.close", "code": code, "reason": reason})


async def application(scope, receive, send):
    if scope["type"] == "lifespan":
        while True:
            event = await receive()
            await send({"type": event["type"] + ".complete"})
            if event["type"] == "lifespan.shutdown":
                return
    if scope["type"] != "websocket":
        await send({"type": "http.response.start", "status": 426, "headers": [(b"upgrade", b"websocket")]})
        await send({"type": "http.response.body", "body": b"a WebSocket, please\n"})
        return
    await receive()
    if scope["path"] == "/refuse":
        await send({"type": "websocket.close"})
        return
    subprotocol = SUBPROTOCOL if SUBPROTOCOL in scope["subprotocols"] else None
    await send({"type": "websocket.accept", "subprotocol": subprotocol})
    await behave(scope["path"], Socket(receive, send, subprotocol))
