#!/usr/bin/env bash
# simple-websocket (flask-sock) wakes the application before it has sent the reply to a Close frame.
#
# One would guess: receive() reports the end after the closing handshake (RFC 6455 section 7.1.2) is complete, so that an
# endpoint that returns then has answered the client's Close frame.
# Seen: receive() raises ConnectionClosed while the reply is still to be sent by another thread. A server that closes the
# socket when the endpoint returns, such as gunicorn, can be first: the client gets all messages, and no Close frame.
# Version: simple-websocket 1.1.0 (PyPI). Source: Base._handle_events in simple_websocket/ws.py, where the event is set before
# the collected bytes are sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check simple-websocket==1.1.0 wsproto==1.3.2 h11==0.16.0
"$folder/venv/bin/python" - <<'PYTHON'
import base64, os, socket, threading, time
from simple_websocket import ConnectionClosed, Server

class Slow:
    """A socket on which sending a Close frame takes a moment, as on a busy machine."""
    def __init__(self, socket):
        self.socket, self.sent = socket, None

    def send(self, data):
        if data[:1] == b"\x88":
            time.sleep(0.3)
            self.sent = time.monotonic()
        return self.socket.send(data)

    def __getattr__(self, name):
        return getattr(self.socket, name)

ours, theirs = socket.socketpair()
slow = Slow(theirs)
headers = {"HTTP_HOST": "h", "HTTP_UPGRADE": "websocket", "HTTP_CONNECTION": "Upgrade", "HTTP_SEC_WEBSOCKET_VERSION": "13",
           "HTTP_SEC_WEBSOCKET_KEY": base64.b64encode(os.urandom(16)).decode()}
environ = {"REQUEST_METHOD": "GET", "PATH_INFO": "/", "SERVER_PROTOCOL": "HTTP/1.1", "werkzeug.socket": slow, **headers}
server = Server(environ)
ours.sendall(b"\x88\x82\x00\x00\x00\x00\x03\xe8")  # Close 1000, masked with zeros
try:
    server.receive()
except ConnectionClosed:
    told = time.monotonic()
while slow.sent is None:
    time.sleep(0.01)
print(f"the application knew of the end {(slow.sent - told) * 1000:.0f} ms before the reply was sent")
raise SystemExit(0 if slow.sent > told else "this has changed")
PYTHON
