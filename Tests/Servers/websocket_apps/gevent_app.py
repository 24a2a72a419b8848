import sys

from gevent import monkey

monkey.patch_all()

import time  # noqa: E402: after the patch

from behavior import behave, run  # noqa: E402
from gevent.pywsgi import WSGIServer  # noqa: E402
from geventwebsocket.handler import WebSocketHandler  # noqa: E402


class Socket:
    subprotocol = None

    def __init__(self, socket):
        self.socket = socket

    async def receive(self):
        message = self.socket.receive()
        return bytes(message) if isinstance(message, bytearray) else message

    async def send(self, data):
        self.socket.send(data, binary=isinstance(data, bytes))

    async def close(self, code, reason):
        self.socket.close(code, reason)

    async def sleep(self, seconds):
        time.sleep(seconds)


def application(environ, start_response):
    socket = environ.get("wsgi.websocket")
    if socket is None:
        start_response("426 Upgrade Required", [("Content-Type", "text/plain"), ("Upgrade", "websocket")])
        return [b"a WebSocket, please\n"]
    run(behave(environ["PATH_INFO"], Socket(socket)))
    return []


WSGIServer(("127.0.0.1", int(sys.argv[1])), application, handler_class=WebSocketHandler, log=None).serve_forever()
