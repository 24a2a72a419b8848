import functools
import sys

import trio
import trio_websocket
from behavior import LIMIT, SUBPROTOCOL, behave


class Socket:
    def __init__(self, connection):
        self.connection, self.subprotocol = connection, connection.subprotocol
        self.send, self.close, self.sleep = connection.send_message, connection.aclose, trio.sleep

    async def receive(self):
        try:
            return await self.connection.get_message()
        except trio_websocket.ConnectionClosed:
            return None


async def handle(request):
    if request.path == "/refuse":
        await request.reject(403, body=b"refused\n")
        return
    offered = SUBPROTOCOL in request.proposed_subprotocols
    connection = await request.accept(subprotocol=SUBPROTOCOL if offered else None)
    await behave(request.path, Socket(connection))


serve = functools.partial(trio_websocket.serve_websocket, max_message_size=LIMIT)
trio.run(serve, handle, "127.0.0.1", int(sys.argv[1]), None)
