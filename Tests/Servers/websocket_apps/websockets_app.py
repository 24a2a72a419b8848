import asyncio
import http
import signal
import sys

import websockets
from behavior import LIMIT, PING_INTERVAL, PING_TIMEOUT, SUBPROTOCOL, behave


class Socket:
    def __init__(self, connection):
        self.connection, self.subprotocol = connection, connection.subprotocol
        self.send, self.close, self.sleep = connection.send, connection.close, asyncio.sleep

    async def receive(self):
        try:
            return await self.connection.recv()
        except websockets.ConnectionClosed:
            return None


async def handle(connection):
    await behave(connection.request.path, Socket(connection))


def refuse(connection, request):
    if request.path == "/refuse":
        return connection.respond(http.HTTPStatus.FORBIDDEN, "refused\n")
    return None


async def main():
    async with websockets.serve(handle, "127.0.0.1", int(sys.argv[1]), max_size=LIMIT, process_request=refuse,
                                ping_interval=PING_INTERVAL, ping_timeout=PING_TIMEOUT,
                                subprotocols=[SUBPROTOCOL], select_subprotocol=choose) as server:
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, server.close)
        await server.wait_closed()


def choose(_, offered):
    return SUBPROTOCOL if SUBPROTOCOL in offered else None


asyncio.run(main())
