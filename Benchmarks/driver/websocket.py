"""The WebSocket server and the peer of P13, both with the package websockets.

websocket.py serve PORT: returns each message.
websocket.py URL COUNT INFLIGHT --post BYTES: the work of Workload.swift, a message and its echo for each request.
"""

import asyncio
import json
import resource
import sys
import time

LIMITS = {"compression": None, "max_size": 32 << 20, "ping_interval": None}


async def serve(port):
    from websockets.asyncio import server
    from websockets.exceptions import ConnectionClosed

    async def echo(connection):
        try:
            async for message in connection:
                await connection.send(message)
        except ConnectionClosed:
            pass  # The clients exit without a Close frame.

    async with server.serve(echo, "127.0.0.1", port, **LIMITS):
        await asyncio.get_running_loop().create_future()


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


async def work(url, count, in_flight, size):
    from websockets.asyncio.client import connect

    message = b"x" * size
    connections = [await connect(url, **LIMITS) for _ in range(in_flight)]

    async def send(connection, number):
        for _ in range(number):
            await connection.send(message)
            assert len(await connection.recv()) == size

    async def send_all(number):
        shares = [number * (index + 1) // in_flight - number * index // in_flight for index in range(in_flight)]
        await asyncio.gather(*(send(connection, share) for connection, share in zip(connections, shares)))

    await send_all(in_flight * 2)
    start = time.monotonic(), processor_seconds()
    await send_all(count)
    print(json.dumps({"requests": count, "seconds": time.monotonic() - start[0], "cpu": processor_seconds() - start[1]}))


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        asyncio.run(serve(int(sys.argv[2])))
    else:
        url, count, in_flight, _, size = sys.argv[1:]
        asyncio.run(work(url, int(count), int(in_flight), int(size)))
