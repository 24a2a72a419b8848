import asyncio
import sys

import picows
from behavior import LIMIT, behave


class Listener(picows.WSListener):
    def __init__(self, path):
        super().__init__()
        self.path, self.messages, self.sleep = path, asyncio.Queue(), asyncio.sleep

    def on_ws_connected(self, transport):
        self.transport, self.subprotocol = transport, None
        if self.path != "/raise":
            self.task = asyncio.create_task(self.behave())

    async def behave(self):
        await behave(self.path, self)
        if self.path == "/return":
            self.transport.disconnect()

    def on_ws_frame(self, transport, frame):
        if self.path == "/raise":
            raise RuntimeError("the handler failed")
        if frame.msg_type == picows.WSMsgType.CLOSE:
            self.messages.put_nowait(None)
            transport.send_close(frame.get_close_code(), frame.get_close_message())
            transport.disconnect()
        elif frame.msg_type == picows.WSMsgType.TEXT:
            self.messages.put_nowait(frame.get_payload_as_utf8_text())
        elif frame.msg_type == picows.WSMsgType.BINARY:
            self.messages.put_nowait(frame.get_payload_as_bytes())

    def on_ws_disconnected(self, transport):
        self.messages.put_nowait(None)

    async def receive(self):
        return await self.messages.get()

    async def send(self, data):
        kind = picows.WSMsgType.TEXT if isinstance(data, str) else picows.WSMsgType.BINARY
        self.transport.send(kind, data.encode() if isinstance(data, str) else data)

    async def close(self, code, reason):
        self.transport.send_close(code, reason.encode())


async def main():
    server = await picows.ws_create_server(lambda request: Listener(request.path.decode()), "127.0.0.1",
                                           int(sys.argv[1]), max_frame_size=LIMIT, enable_auto_ping=True,
                                           auto_ping_idle_timeout=1, auto_ping_reply_timeout=1)
    # The timeout of the reply must not be longer than that of the ping, which is thus longer than PING_INTERVAL.
    await server.serve_forever()


asyncio.run(main())
