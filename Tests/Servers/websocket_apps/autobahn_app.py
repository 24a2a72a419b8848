import asyncio
import sys

from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from autobahn.websocket.compress import PerMessageDeflateOffer, PerMessageDeflateOfferAccept
from autobahn.websocket.types import ConnectionDeny
from behavior import LIMIT, PING_INTERVAL, PING_TIMEOUT, SUBPROTOCOL, behave
from twisted.internet import asyncioreactor

loop = asyncio.new_event_loop()
asyncio.set_event_loop(loop)
asyncioreactor.install(loop)

from twisted.internet import reactor  # noqa: E402: the reactor must be chosen first


class Protocol(WebSocketServerProtocol):
    def onConnect(self, request):
        if request.path == "/refuse":
            raise ConnectionDeny(403, "refused")
        self.path_, self.messages, self.subprotocol = request.path, asyncio.Queue(), None
        if SUBPROTOCOL in request.protocols:
            self.subprotocol = SUBPROTOCOL
        return self.subprotocol

    def onOpen(self):
        if self.path_ != "/raise":
            self.task = loop.create_task(self.behave())

    async def behave(self):
        await behave(self.path_, Socket(self))
        if self.path_ == "/return":
            self.sendClose()

    def onMessage(self, payload, isBinary):
        if self.path_ == "/raise":
            raise RuntimeError("the handler failed")
        self.messages.put_nowait(payload if isBinary else payload.decode())

    def onClose(self, wasClean, code, reason):
        if hasattr(self, "messages"):
            self.messages.put_nowait(None)


class Socket:
    def __init__(self, protocol):
        self.protocol, self.subprotocol = protocol, protocol.subprotocol
        self.receive, self.sleep = protocol.messages.get, asyncio.sleep

    async def send(self, data):
        self.protocol.sendMessage(data.encode() if isinstance(data, str) else data, isinstance(data, bytes))

    async def close(self, code, reason):
        self.protocol.sendClose(code, reason)


def accept(offers):
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer):
            return PerMessageDeflateOfferAccept(offer)
    return None


factory = WebSocketServerFactory()
factory.protocol = Protocol
factory.setProtocolOptions(maxMessagePayloadSize=LIMIT, autoPingInterval=PING_INTERVAL, autoPingTimeout=PING_TIMEOUT,
                           perMessageCompressionAccept=accept)
reactor.listenTCP(int(sys.argv[1]), factory, interface="127.0.0.1")
reactor.run()
