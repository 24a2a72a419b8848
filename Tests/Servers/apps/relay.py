"""A TCP relay that records what the client and the server send: the only view of the wire that is not afcli's."""

import contextlib
import queue
import re
import socket
import threading

FINAL = re.compile(rb"HTTP/1\.[01] [2-5]\d\d ")


class Relay:
    """Forwards connections to a port of 127.0.0.1.

    If `holds` is true, it stops reading from the client after 64 KiB until the final response has begun, at most half a
    second: so an early response arrives while the client is sending.
    """

    def __init__(self, port):
        self.target = port
        self.holds = False
        self.connections = []
        self.listener = socket.socket()
        # Inherited by the connections: a large buffer would take all of the body at once.
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 32 * 1024)
        self.listener.bind(("127.0.0.1", 0))
        self.listener.listen()
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                connection = Connection(client, self.target, self.holds)
                self.connections.append(connection)
                connection.start()

    def reset(self, holds=False):
        self.connections, self.holds = [], holds

    def last(self):
        """The last connection with a request, after the client has closed it."""
        for connection in self.connections:
            connection.is_finished.wait(10)
        used = [connection for connection in self.connections if connection.events]
        return used[-1] if used else None

    def close(self):
        # shutdown() ends accept(); close() alone does not.
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Connection:
    def __init__(self, client, port, holds):
        self.client, self.holds = client, holds
        self.events = []
        """Pairs of the sender, "client" or "server", and bytes, in the order in which they arrived."""
        self.has_response, self.is_finished = threading.Event(), threading.Event()
        self.server = socket.create_connection(("127.0.0.1", port), 20)
        for side in (self.client, self.server):
            side.settimeout(30)
        self.waiting = queue.SimpleQueue()
        self.is_reset = False
        """Whether the client closed the connection with a reset: the kernel then drops what was sent but not read."""

    def start(self):
        for role in (self.upload, self.forward, self.download):
            threading.Thread(target=role, daemon=True).start()

    def upload(self):
        try:
            count, is_held = 0, not self.holds
            while data := self.client.recv(65536):
                self.events.append(("client", data))
                self.waiting.put(data)
                count += len(data)
                if not is_held and count > 65536:
                    is_held = True
                    self.has_response.wait(0.5)
        except OSError:
            self.is_reset = True
        self.waiting.put(b"")
        self.is_finished.set()
        for side in (self.client, self.server):
            with contextlib.suppress(OSError):
                side.shutdown(socket.SHUT_RDWR)
            side.close()

    def forward(self):
        """A thread of its own: a server that does not read must not keep the client's bytes from being counted."""
        with contextlib.suppress(OSError):
            while data := self.waiting.get():
                self.server.sendall(data)

    def download(self):
        with contextlib.suppress(OSError):
            while data := self.server.recv(65536):
                self.events.append(("server", data))
                self.client.sendall(data)
                if FINAL.search(data):
                    self.has_response.set()
        # A server that resets the connection is seen as one that closes it: the direct connection shows the reset.
        with contextlib.suppress(OSError):
            self.client.shutdown(socket.SHUT_WR)

    def sent(self, side):
        return b"".join(data for sender, data in self.events if sender == side)

    def request(self):
        return Message(self.sent("client"))

    def response(self):
        """The final response."""
        data = self.sent("server")
        while data.startswith(b"HTTP/1.1 1"):
            data = data.partition(b"\r\n\r\n")[2]
        return Message(data)

    def is_continued(self):
        """Whether a 100 arrived before the first byte of the body; `None` if it arrived later or not at all."""
        client = server = b""
        for sender, data in self.events:
            if sender == "server":
                server += data
            else:
                client += data
                if client.partition(b"\r\n\r\n")[2]:
                    break
        return server.startswith(b"HTTP/1.1 100 ")


class Message:
    """The first HTTP/1.1 message of some bytes."""

    def __init__(self, data):
        head, _, rest = data.partition(b"\r\n\r\n")
        self.line, *lines = head.decode("latin-1").split("\r\n")
        self.fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        self.rest = rest
        self.is_chunked = self.fields.get("transfer-encoding", "").lower() == "chunked"
        if self.is_chunked:
            self.body, self.is_complete = decoded(rest)
        else:
            length = int(self.fields.get("content-length", 0))
            self.body, self.is_complete = rest[:length], len(rest) >= length


def decoded(data):
    """The content of chunks, and whether the last chunk is among them."""
    parts = []
    while True:
        size, end, data = data.partition(b"\r\n")
        if not end or not re.fullmatch(rb"[0-9A-Fa-f]+", size.split(b";")[0].strip()):
            return b"".join(parts), False
        size = int(size.split(b";")[0], 16)
        if not size:
            return b"".join(parts), True
        parts.append(data[:size])
        data = data[size + 2:]


def frames(data):
    """The frames of HTTP/2, without the client's preface: type, flags and payload."""
    data = data.removeprefix(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
    start = 0
    while len(data) - start >= 9:
        end = start + 9 + int.from_bytes(data[start:start + 3])
        yield data[start + 3], data[start + 4], data[start + 9:end]
        start = end
