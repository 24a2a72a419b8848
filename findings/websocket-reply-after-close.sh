#!/usr/bin/env bash
# A WebSocket server of "websockets" drops the replies to messages that came before a Close; aiohttp and Tornado send them.
#
# One would guess: a client that sends a question and then Close gets the answer, then the server's Close, because RFC 6455
# section 5.5.1 lets an endpoint finish what it sends: "An endpoint MAY delay sending a Close frame until its current message is
# sent".
# Seen: websockets answers the Close at once, and send() of the handler raises ConnectionClosedOK. aiohttp and Tornado send the
# answer first. A client in a pipe must therefore wait before it closes.
# Version: websockets 15.0.1, aiohttp 3.12.15, Tornado 6.5.1. Source: recv_frame in websockets/protocol.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile websockets==15.0.1 aiohttp==3.12.15 tornado==6.5.1
timeout 60 "$folder/env/bin/python" - 2>/dev/null <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import asyncio, sys
import tornado.httpserver, tornado.testing, tornado.web, tornado.websocket
from aiohttp import web
from websockets.asyncio.server import serve
head = b"GET / HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
question = b"\x81\x88\0\0\0\0question\x88\x82\0\0\0\0\x03\xe8"
async def ask(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head + key)
    await reader.readuntil(b"\r\n\r\n")
    writer.write(question)
    received = await asyncio.wait_for(reader.readuntil(b"\x88\x02\x03\xe8"), 10)
    writer.close()
    return b"answer" in received
async def through_websockets():
    async def handler(connection):
        async for message in connection:
            await asyncio.sleep(0.2)
            await connection.send("answer")
    async with serve(handler, "127.0.0.1", 0) as server:
        return await ask(server.sockets[0].getsockname()[1])
async def through_aiohttp():
    async def handler(request):
        connection = web.WebSocketResponse()
        await connection.prepare(request)
        async for message in connection:
            await asyncio.sleep(0.2)
            await connection.send_str("answer")
        return connection
    application = web.Application()
    application.router.add_get("/", handler)
    runner = web.AppRunner(application)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    answered = await ask(runner.addresses[0][1])
    await runner.cleanup()
    return answered
class Handler(tornado.websocket.WebSocketHandler):
    async def on_message(self, message):
        await asyncio.sleep(0.2)
        await self.write_message("answer")
async def through_tornado():
    socket, port = tornado.testing.bind_unused_port()
    server = tornado.httpserver.HTTPServer(tornado.web.Application([("/", Handler)]))
    server.add_sockets([socket])
    return await ask(port)
seen = [asyncio.run(run()) for run in (through_websockets, through_aiohttp, through_tornado)]
print(f"answer received from websockets, aiohttp, Tornado: {seen}")
sys.exit(seen != [False, True, True])
PYTHON
