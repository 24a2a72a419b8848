"""A bare WebSocket client: what a server really sends, to compare with what afcli says."""

import base64
import contextlib
import os
import socket
import struct
import threading
import time


class Witness:
    """One connection without extensions.

    After finish(), `messages`, `close` and `pings` are what the server sent; `is_open`: it did not end the connection
    within 20 s; `has_http`: an HTTP response followed instead of a frame.
    """

    def __init__(self, port, path, *fields):
        self.socket = socket.create_connection(("127.0.0.1", port), 20)
        self.rest, self.messages, self.close, self.pings = b"", [], None, 0
        self.is_open, self.has_http = False, False
        key = base64.b64encode(os.urandom(16)).decode()
        head = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", *fields, "", ""]
        self.socket.sendall("\r\n".join(head).encode())
        while b"\r\n\r\n" not in self.rest:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise ConnectionError("no response to the handshake")
            self.rest += chunk
        self.head, self.rest = self.rest.split(b"\r\n\r\n", 1)

    def send(self, opcode, data):
        mask = os.urandom(4)
        length = (bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack(">H", len(data))
                  if len(data) < 65536 else b"\xff" + struct.pack(">Q", len(data)))
        pad = (mask * (len(data) // 4 + 1))[:len(data)]
        masked = (int.from_bytes(data, "big") ^ int.from_bytes(pad, "big")).to_bytes(len(data), "big")
        with contextlib.suppress(OSError):
            self.socket.sendall(bytes([0x80 | opcode]) + length + mask + masked)

    def frame(self):
        first, second = self.take(2)
        # Not a frame: the control frames 8 to 10 have no RSV1.
        if bytes([first, second]) == b"HT":
            self.has_http = True
            raise EOFError
        length = second & 0x7F
        if length > 125:
            length = int.from_bytes(self.take(2 if length == 126 else 8), "big")
        return first & 15, self.take(length)

    def take(self, count):
        while len(self.rest) < count:
            chunk = self.socket.recv(65536)
            if not chunk:
                raise EOFError
            self.rest += chunk
        data, self.rest = self.rest[:count], self.rest[count:]
        return data

    def finish(self, text=None):
        """Sends a text, and reads to the end of the connection or a Close frame, which it returns."""
        if text is not None:
            threading.Thread(target=self.send, args=(1, text), daemon=True).start()
        end = time.monotonic() + 20
        try:
            while self.close is None:
                # Pings do not count.
                if time.monotonic() > end:
                    raise TimeoutError
                opcode, data = self.frame()
                if opcode == 8:
                    self.close = data
                elif opcode == 9:
                    self.pings += 1
                    self.send(10, data)
                elif opcode < 3:
                    self.messages.append(data)
        except TimeoutError:
            self.is_open = True
        except (EOFError, OSError):
            pass
        self.send(8, (self.close or b"")[:2])
        self.socket.close()
        return self.close
