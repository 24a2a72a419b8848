import sys
import time

from behavior import LIMIT, SUBPROTOCOL, behave, run
from flask import Flask, abort, request
from flask_sock import ConnectionClosed, Sock

application = Flask(__name__)
application.config["SOCK_SERVER_OPTIONS"] = {"max_message_size": LIMIT, "subprotocols": [SUBPROTOCOL],
                                             "ping_interval": 1}
# Its pongs must come within the interval, which is thus longer than that of the others.
sock = Sock(application)


class Socket:
    def __init__(self, socket):
        self.socket, self.subprotocol = socket, socket.subprotocol

    async def receive(self):
        try:
            return self.socket.receive()
        except ConnectionClosed:
            return None

    async def send(self, data):
        self.socket.send(data)

    async def close(self, code, reason):
        self.socket.close(code, reason)

    async def sleep(self, seconds):
        time.sleep(seconds)


@application.before_request
def refuse():
    if request.path == "/refuse":
        abort(403)


@sock.route("/<path:path>")
def endpoint(socket, path):
    run(behave(path, Socket(socket)))


if __name__ == "__main__":
    application.run("127.0.0.1", int(sys.argv[1]))
