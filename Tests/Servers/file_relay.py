"""What the server saw: a relay between afcli and a server that records the header of every request."""

import contextlib
import http.client
import socket
import threading
import time


class Relay:
    """Forwards connections to a port on loopback, and records the heads of requests without bodies.

    Of the responses, the first head of each connection is recorded. TLS is forwarded, too, but not recorded.
    """

    def __init__(self, target):
        self.target = target
        self.clear()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def request(self):
        """The first request: it may be recorded a moment after its response was forwarded."""
        for _ in range(200):
            if self.requests:
                break
            time.sleep(0.01)
        return self.requests[0]

    def clear(self):
        self.requests, self.responses, self.forwarded = [], [], 0

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.connect, args=(client,), daemon=True).start()

    def connect(self, client):
        # Small buffers: a slow client is slow for the server, too.
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 16)
        with client:
            try:
                server = socket.create_connection(("127.0.0.1", self.target), 10)
            except OSError:
                return
            server.settimeout(None)
            with server:
                threading.Thread(target=self.forward, args=(client, server, self.see_request), daemon=True).start()
                self.forward(server, client, self.see_response)
                # The client is gone, or the server has closed: the other thread must not wait.
                for end in (client, server):
                    with contextlib.suppress(OSError):
                        end.shutdown(socket.SHUT_RDWR)

    def forward(self, source, target, see):
        head = b""
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                target.sendall(data)
                head = see(head, data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def see_request(self, head, data):
        *complete, rest = (head + data).split(b"\r\n\r\n")
        self.requests += [Head(text) for text in complete]
        return rest

    def see_response(self, head, data):
        self.forwarded += len(data)
        if head is None:
            return None
        text, end, _ = (head + data).partition(b"\r\n\r\n")
        if end or len(text) > 1 << 16:
            self.responses.append(Head(text))
            return None
        return text

    def end(self):
        # close() does not interrupt accept().
        with contextlib.suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class Head:
    """The first line and the fields of a request or a response."""

    def __init__(self, text):
        first, *lines = text.decode("latin-1").split("\r\n")
        self.first = first
        self.fields = {}
        for line in lines:
            name, _, value = line.partition(":")
            self.fields[name.strip().lower()] = value.strip()

    @property
    def status(self):
        """The status of a response."""
        parts = self.first.split(" ")
        return int(parts[1]) if len(parts) > 1 and parts[1].isdigit() else 0

    def get(self, name):
        return self.fields.get(name)


def ask(port, target, method="GET", is_body_wanted=False, **fields):
    """Asks a server without afcli. Returns the head of the response, or the body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, target, headers={"Accept-Encoding": "identity", "Connection": "close", **headers})
        response = connection.getresponse()
        if is_body_wanted:
            return response.read()
        lines = "".join(f"\r\n{name}: {value}" for name, value in response.getheaders())
        return Head(f"HTTP/1.1 {response.status}{lines}".encode("latin-1", "replace"))
    finally:
        connection.close()
