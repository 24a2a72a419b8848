"""A proxy between a client and a server that breaks HTTP on purpose, and counts the bytes of request bodies."""

import asyncio
import dataclasses
import math
import socket
import threading
from typing import Callable, Optional

CHUNK = 64 * 1024


@dataclasses.dataclass
class Request:
    method: str
    target: str
    headers: dict[str, str]
    number: int
    """The requests since `begin` that came before this one."""
    status: int = 0
    """Of the final response that the client got; 0 if it got none."""
    response_headers: dict[str, str] = dataclasses.field(default_factory=dict)
    ended: float = math.inf
    """The number of requests that had begun when the server had responded."""


@dataclasses.dataclass
class Fault:
    """What the proxy does with the requests that `when` selects, `times` times at most."""

    when: Callable[[Request], bool]
    times: float = 1
    skip: int = 0
    """The number of selected requests that are left alone first."""
    reply: Optional[bytes] = None
    """Sent instead of asking the server."""
    early: bool = False
    """Whether `reply` is sent before the body of the request is read."""
    cut_request: Optional[int] = None
    """The bytes of the request's body that pass before both connections are reset."""
    cut_response: Optional[int] = None
    """The bytes of the final response that pass before both connections are reset."""
    flip: Optional[int] = None
    """The byte of the request's body that arrives changed."""
    drops_interim: bool = False
    edit: Optional[Callable[[int, list], tuple[int, list]]] = None
    """Returns another status and other header fields, pairs, for a final response."""
    edit_body: Optional[Callable[[bytes], bytes]] = None
    edit_interim: Optional[Callable[[list], list]] = None
    before_response: Optional[Callable[[], None]] = None
    """Called in a thread when the final response is complete, before the client gets it."""


class Cut(Exception):
    """The connections are reset."""


class Proxy:
    """Listens on a port of its own; the event loop runs in a thread."""

    def __init__(self, upstream):
        self.upstream = upstream
        self.loop = asyncio.new_event_loop()
        # A loop by itself does not keep its tasks.
        self.tasks = set()
        self.begin()
        # Small segments and a small buffer, as in a network: else, the kernel takes megabytes of a client at once, and
        # still sends them after a kill.
        listener = socket.socket()
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1460)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, CHUNK)
        listener.bind(("127.0.0.1", 0))
        self.port = listener.getsockname()[1]
        ready = threading.Event()
        threading.Thread(target=self._run, args=(listener, ready), daemon=True).start()
        ready.wait(10)

    def end(self):
        self.loop.call_soon_threadsafe(self.loop.stop)

    def begin(self, *faults):
        """Forgets what was counted, and breaks what the faults say from now on."""
        self.requests = []
        self.body_bytes = 0
        self.arrange(*faults)

    def arrange(self, *faults):
        """Breaks what the faults say from now on, and nothing else."""
        self.faults = [[fault, 0] for fault in faults]
        self.triggers = []

    @property
    def was_reached(self):
        """Whether every fault has met a request since it was arranged."""
        return all(count > fault.skip for fault, count in self.faults)

    def at(self, body_bytes, action):
        """Calls the action in a thread when `body_bytes` bytes of bodies were read; nothing passes until it returns."""
        self.triggers.append((body_bytes, action))
        self.triggers.sort(key=lambda trigger: trigger[0])

    def _run(self, listener, ready):
        asyncio.set_event_loop(self.loop)
        self.loop.run_until_complete(asyncio.start_server(self._serve, sock=listener, limit=CHUNK))
        ready.set()
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        conversation = Conversation(self, reader, writer)
        self.tasks.add(asyncio.current_task())
        try:
            while await conversation.exchange():
                pass
        except Cut:
            conversation.reset()
        except (OSError, EOFError, ValueError):
            # One side is gone: the other one gets what is left, and the end of the connection.
            pass
        finally:
            conversation.close()
            self.tasks.discard(asyncio.current_task())

    def select(self, request):
        for entry in self.faults:
            fault, count = entry
            if fault.when(request):
                entry[1] += 1
                if fault.skip <= count < fault.skip + fault.times:
                    return fault
        return None


class Conversation:
    """A connection of a client, and the one to the server."""

    def __init__(self, proxy, reader, writer):
        self.proxy, self.reader, self.writer = proxy, reader, writer
        self.server_reader = self.server_writer = None

    async def exchange(self):
        """Passes one request and its response. Returns whether another may follow."""
        head = await read_head(self.reader)
        if not head:
            return False
        line, fields = parse_head(head)
        method, target, _ = line.split(" ", 2)
        request = Request(method, target, {name.lower(): value for name, value in fields}, len(self.proxy.requests))
        self.proxy.requests.append(request)
        fault = self.proxy.select(request)
        if fault and fault.reply is not None:
            return await self.reply(request, fault)
        await self.connect()
        self.server_writer.write(head)
        body = asyncio.ensure_future(self.pass_body(request, fault))
        response = asyncio.ensure_future(self.pass_response(request, fault))
        try:
            await asyncio.wait((body, response), return_when=asyncio.FIRST_EXCEPTION)
            if response.done() and not response.exception() and body.exception():
                # The server responded early, and reads no more.
                await asyncio.wait_for(self.discard(), 1)
            for task in (body, response):
                if task.done() and task.exception():
                    raise task.exception()
            return response.result()
        except asyncio.TimeoutError:
            return False
        finally:
            body.cancel()
            response.cancel()
            await asyncio.gather(body, response, return_exceptions=True)

    async def discard(self):
        while part := await self.reader.read(CHUNK):
            await self.count(len(part))

    async def reply(self, request, fault):
        if fault.early:
            self.writer.write(fault.reply)
        try:
            await asyncio.wait_for(self.discard_body(request), 10 if not fault.early else 1)
        except asyncio.TimeoutError:
            pass
        if not fault.early:
            self.writer.write(fault.reply)
        request.status = int(fault.reply.split(b" ", 2)[1]) if fault.reply else 0
        await self.writer.drain()
        return False

    async def connect(self):
        if self.server_writer is None:
            self.server_reader, self.server_writer = await asyncio.open_connection(
                "127.0.0.1", self.proxy.upstream, limit=CHUNK)

    async def pass_body(self, request, fault):
        passed = 0
        async for part, is_content in body_parts(self.reader, request.headers, request.method):
            if is_content:
                await self.count(len(part))
            if fault and fault.cut_request is not None and passed + len(part) > fault.cut_request:
                self.server_writer.write(part[:fault.cut_request - passed])
                await self.server_writer.drain()
                raise Cut
            if fault and fault.flip is not None and passed <= fault.flip < passed + len(part):
                at = fault.flip - passed
                part = part[:at] + bytes([part[at] ^ 1]) + part[at + 1:]
            passed += len(part)
            self.server_writer.write(part)
            await self.server_writer.drain()

    async def discard_body(self, request):
        async for part, is_content in body_parts(self.reader, request.headers, request.method):
            if is_content:
                await self.count(len(part))

    async def count(self, number):
        self.proxy.body_bytes += number
        while self.proxy.triggers and self.proxy.body_bytes >= self.proxy.triggers[0][0]:
            _, action = self.proxy.triggers.pop(0)
            await asyncio.get_running_loop().run_in_executor(None, action)

    async def pass_response(self, request, fault):
        while True:
            head = await read_head(self.server_reader)
            if not head:
                raise EOFError
            line, fields = parse_head(head)
            status = int(line.split(" ", 2)[1])
            if status >= 200 or status == 101:
                break
            if not (fault and fault.drops_interim):
                if fault and fault.edit_interim and status != 100:
                    head = encode_head(status, fault.edit_interim(fields))
                self.writer.write(head)
                await self.writer.drain()
        headers = {name.lower(): value for name, value in fields}
        parts = [part async for part, _ in body_parts(self.server_reader, headers, request.method, status)]
        content = b"".join(parts)
        request.ended = len(self.proxy.requests)
        if fault and fault.before_response:
            await asyncio.get_running_loop().run_in_executor(None, fault.before_response)
        if fault and fault.edit:
            status, fields = fault.edit(status, fields)
            head = encode_head(status, fields)
        if fault and fault.edit_body:
            content = fault.edit_body(content)
            fields = [(n, v) for n, v in fields if n.lower() not in ("content-length", "transfer-encoding")]
            head = encode_head(status, fields + [("Content-Length", str(len(content)))])
        if fault and fault.cut_response is not None:
            self.writer.write((head + content)[:fault.cut_response])
            await self.writer.drain()
            raise Cut
        request.status, request.response_headers = status, {name.lower(): value for name, value in fields}
        self.writer.write(head + content)
        await self.writer.drain()
        return headers.get("connection", "").lower() != "close"

    def reset(self):
        for writer in (self.writer, self.server_writer):
            if writer:
                writer.transport.abort()

    def close(self):
        for writer in (self.writer, self.server_writer):
            if writer:
                writer.close()


async def read_head(reader):
    """The bytes up to the empty line; nothing at the end of the connection."""
    try:
        return await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise
        return b""


def parse_head(head):
    line, *rest = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    return line, [(name, value.strip()) for name, _, value in (field.partition(":") for field in rest)]


def encode_head(status, fields):
    lines = [f"HTTP/1.1 {status} X", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode("latin-1")


async def body_parts(reader, headers, method, status=None):
    """The parts of a body as they are on the wire, and whether they are content rather than framing."""
    if status is not None and (method == "HEAD" or status in (204, 304)):
        return
    if "chunked" in headers.get("transfer-encoding", "").lower():
        while True:
            line = await reader.readuntil(b"\r\n")
            yield line, False
            size = int(line.split(b";")[0], 16)
            async for part in exactly(reader, size):
                yield part, True
            if size == 0:
                while line != b"\r\n":
                    line = await reader.readuntil(b"\r\n")
                    yield line, False
                return
            yield await reader.readexactly(2), False
    elif "content-length" in headers:
        async for part in exactly(reader, int(headers["content-length"])):
            yield part, True
    elif status is not None:
        while part := await reader.read(CHUNK):
            yield part, True


async def exactly(reader, size):
    while size:
        part = await reader.read(min(size, CHUNK))
        if not part:
            raise EOFError
        size -= len(part)
        yield part


ALWAYS = math.inf


def response(status, headers=(), body=b"", reason="X"):
    """A complete response that ends the connection."""
    fields = [*headers, ("Content-Length", str(len(body))), ("Connection", "close")]
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode("latin-1") + body
