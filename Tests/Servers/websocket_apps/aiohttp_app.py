import asyncio
import sys

from aiohttp import WSMsgType, web
from behavior import LIMIT, PING_INTERVAL, SUBPROTOCOL, behave


class Socket:
    def __init__(self, response):
        self.response, self.subprotocol = response, response.ws_protocol
        self.sleep = asyncio.sleep

    async def receive(self):
        message = await self.response.receive()
        return message.data if message.type in (WSMsgType.TEXT, WSMsgType.BINARY) else None

    async def send(self, data):
        await (self.response.send_str if isinstance(data, str) else self.response.send_bytes)(data)

    async def close(self, code, reason):
        await self.response.close(code=code, message=reason.encode())


async def handle(request):
    if request.path == "/refuse":
        raise web.HTTPForbidden()
    # The heartbeat's pong is awaited half as long; 0.3 s would be too short on a busy machine only for /hold.
    heartbeat = PING_INTERVAL if request.path == "/hold" else None
    response = web.WebSocketResponse(max_msg_size=LIMIT, heartbeat=heartbeat, protocols=[SUBPROTOCOL])
    await response.prepare(request)
    await behave(request.path, Socket(response))
    return response


application = web.Application()
application.router.add_get("/{path:.*}", handle)
web.run_app(application, host="127.0.0.1", port=int(sys.argv[1]), print=None)
