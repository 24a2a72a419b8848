#!/usr/bin/env python3
"""An HTTP/3 server on loopback: http3-server.py PORT SILENT-PORT CERTIFICATE KEY (needs python3-aioquic)

It responds to each request with its method and the size of its body. UDP packets to the silent port get no response, as
behind a firewall; SIGUSR1 ends the server, which prints how many there were.
"""

import asyncio
import signal
import sys

from aioquic.asyncio import QuicConnectionProtocol, serve
from aioquic.h3.connection import H3_ALPN, H3Connection
from aioquic.h3.events import DataReceived, HeadersReceived
from aioquic.quic.configuration import QuicConfiguration
from aioquic.quic.events import ProtocolNegotiated


class Server(QuicConnectionProtocol):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.http = None
        self.methods = {}
        self.sizes = {}

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        if self.http is None:
            return
        for received in self.http.handle_event(event):
            if isinstance(received, HeadersReceived):
                self.methods[received.stream_id] = dict(received.headers)[b":method"].decode()
            elif isinstance(received, DataReceived):
                self.sizes[received.stream_id] = self.sizes.get(received.stream_id, 0) + len(received.data)
            else:
                continue
            if received.stream_ended:
                self.answer(received.stream_id)

    def answer(self, stream):
        body = f"{self.methods[stream]} of {self.sizes.get(stream, 0)} bytes over HTTP/3\n".encode()
        length = str(len(body)).encode()
        self.http.send_headers(stream, [(b":status", b"200"), (b"content-length", length)])
        self.http.send_data(stream, body, end_stream=True)
        self.transmit()


class Silence(asyncio.DatagramProtocol):
    packets = 0

    def datagram_received(self, data, address):
        self.packets += 1


async def main(port, silent_port, certificate, key):
    loop = asyncio.get_running_loop()
    _, silence = await loop.create_datagram_endpoint(Silence, local_addr=("127.0.0.1", int(silent_port)))
    configuration = QuicConfiguration(is_client=False, alpn_protocols=H3_ALPN)
    configuration.load_cert_chain(certificate, key)
    await serve("127.0.0.1", int(port), configuration=configuration, create_protocol=Server)
    end = asyncio.Event()
    loop.add_signal_handler(signal.SIGUSR1, end.set)
    print("ready", flush=True)
    await end.wait()
    print(f"{silence.packets} silent packets", flush=True)


asyncio.run(main(*sys.argv[1:]))
