"""The servers: nginx on free ports, in the foreground, with all of its files in one scratch directory, and others."""

import json
import os
import pathlib
import selectors
import shutil
import socket
import subprocess
import sys
import threading
import time
import zlib

CONFIGURATION = """
daemon off;
master_process on;
worker_processes 1;
{user}
pid {root}/nginx.pid;
error_log {root}/error.log warn;
events {{ worker_connections 16000; }}
http {{
    access_log off;
    sendfile on;
    tcp_nopush on;
    tcp_nodelay on;
    keepalive_requests 100000000;
    types {{ application/json json; }}
    default_type application/octet-stream;
    client_body_temp_path {root}/body;
    proxy_temp_path {root}/proxy;
    fastcgi_temp_path {root}/fastcgi;
    uwsgi_temp_path {root}/uwsgi;
    scgi_temp_path {root}/scgi;
    root {root}/files;
    server {{
        listen 127.0.0.1:{http} backlog=4096;
        # 4 MiB per second for each connection, as on servers that limit the rate of connections.
        location /throttled/ {{ limit_rate 4m; }}
        # A kilobyte in four seconds. All connections share one open file.
        location /slow/ {{ limit_rate 256; open_file_cache max=1; }}
        # A response to any method, also to POST.
        location /api/ {{ return 200 '{{"id": 1, "name": "Ada", "born": 1815}}'; }}
    }}
    # Another origin, so that its connections are not shared with the first: the header immediately, and the rest of a
    # kilobyte in ten minutes.
    server {{
        listen 127.0.0.1:{other} backlog=4096;
        location /idle/ {{ limit_rate 1; limit_rate_after 512; open_file_cache max=1; }}
        location /api/ {{ return 200 '{{"id": 1, "name": "Ada", "born": 1815}}'; }}
    }}
    server {{
        listen 127.0.0.1:{https} ssl http2;
        ssl_certificate {root}/server.pem;
        ssl_certificate_key {root}/server.key;
    }}
}}
"""

SYSTEM_CERTIFICATES = pathlib.Path("/etc/ssl/certs")


class NGINX:
    """Serves `files`; `https` has a certificate of a new authority that only `trust_directory` and `trust_bundle` hold."""

    def __init__(self, scratch):
        self.root = scratch / "nginx"
        self.files = self.root / "files"
        self.trust_directory = self.root / "certs"
        self.trust_bundle = self.root / "bundle.pem"

    def __enter__(self):
        self.files.mkdir(parents=True)
        self._make_certificates()
        self._make_trust()
        http, https, other = free_ports(3)
        configuration = self.root / "nginx.conf"
        # As root, nginx would switch to an unprivileged user, which cannot read the scratch directory.
        user = "user root;" if os.geteuid() == 0 else ""
        configuration.write_text(CONFIGURATION.format(root=self.root, http=http, https=https, other=other, user=user))
        program = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
        if not program:
            raise SystemExit("run: nginx is missing; make bench-deps installs it")
        self.process = subprocess.Popen([program, "-p", self.root, "-e", self.root / "error.log", "-c", configuration])
        self.http, self.https = f"http://127.0.0.1:{http}", f"https://127.0.0.1:{https}"
        self.other = f"http://127.0.0.1:{other}"
        wait_for(http, self.process)
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def _make_certificates(self):
        key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        names = self.root / "names"
        names.write_text("subjectAltName=IP:127.0.0.1,DNS:localhost\n")
        self._openssl("req", "-x509", *key, "-days", "2", "-subj", "/CN=Benchmark authority",
                      "-keyout", "authority.key", "-out", "authority.pem")
        self._openssl("req", *key, "-subj", "/CN=localhost", "-keyout", "server.key", "-out", "server.csr")
        self._openssl("x509", "-req", "-in", "server.csr", "-CA", "authority.pem", "-CAkey", "authority.key",
                      "-CAcreateserial", "-days", "2", "-extfile", names, "-out", "server.pem")

    def _make_trust(self):
        """The system's trust store, in both of its layouts, with the new authority added."""
        self.trust_directory.mkdir()
        for link in SYSTEM_CERTIFICATES.glob("????????.[0-9]"):
            (self.trust_directory / link.name).symlink_to(link.resolve())
        authority = self.root / "authority.pem"
        digest = self._openssl("x509", "-in", authority, "-noout", "-hash").strip()
        (self.trust_directory / f"{digest}.0").symlink_to(authority)
        bundle = (SYSTEM_CERTIFICATES / "ca-certificates.crt").read_text()
        self.trust_bundle.write_text(bundle + authority.read_text())

    def _openssl(self, *arguments):
        done = subprocess.run(["openssl", *arguments], cwd=self.root, capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"run: openssl {arguments[0]} failed: {done.stderr}")
        return done.stdout


class SilentServer:
    """Sends only the header of a response on each connection, so that the transfers remain in flight."""

    HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 1024\r\n\r\n"

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.is_over = False
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.is_over = True
        # Wakes the thread.
        socket.create_connection(self.socket.getsockname()).close()

    def _serve(self):
        selector = selectors.DefaultSelector()
        selector.register(self.socket, selectors.EVENT_READ)
        while not self.is_over:
            for key, _ in selector.select():
                try:
                    if key.fileobj is self.socket:
                        connection, _ = self.socket.accept()
                        connection.sendall(self.HEAD)
                        selector.register(connection, selectors.EVENT_READ)
                    elif not key.fileobj.recv(1 << 16):
                        raise OSError("the client has closed the connection")
                except OSError:
                    if key.fileobj is not self.socket:
                        selector.unregister(key.fileobj)
                        key.fileobj.close()
        selector.close()
        self.socket.close()


class UploadSink:
    """Receives multipart bodies with one file and responds with its length and CRC-32."""

    def __enter__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        threading.Thread(target=self._serve, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _serve(self):
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                try:
                    self._answer(connection)
                except OSError:
                    pass

    def _answer(self, connection):
        head, body = self._until(connection, b"", b"\r\n\r\n")
        fields = dict(line.lower().split(": ", 1) for line in head.decode("latin-1").split("\r\n")[1:])
        if fields.get("expect") == "100-continue":
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        part, body = self._until(connection, body, b"\r\n\r\n")
        boundary = fields["content-type"].split("boundary=")[1].strip('"')
        length = int(fields["content-length"]) - len(part) - 4 - len(f"\r\n--{boundary}--\r\n")
        # The remaining content, then the remaining body.
        missing, rest = length, int(fields["content-length"]) - len(part) - 4
        check, buffer = 0, bytearray(body) + bytearray(1 << 20)
        count, view = len(body), memoryview(buffer)
        while True:
            check = zlib.crc32(view[:min(count, missing)], check)
            missing, rest = max(0, missing - count), rest - count
            if rest <= 0:
                break
            count = connection.recv_into(view)
            if count == 0:
                return
        answer = json.dumps({"bytes": length, "crc": check}).encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(answer)}\r\nConnection: close\r\n\r\n"
        connection.sendall(head.encode() + answer)

    def _until(self, connection, start, end):
        data = start
        while end not in data:
            data += connection.recv(1 << 16) or _closed()
        return data.split(end, 1)


class WebSocketServer:
    """Echoes each message, in a separate process."""

    def __init__(self, script):
        self.script = script

    def __enter__(self):
        port, = free_ports(1)
        self.process = subprocess.Popen([sys.executable, self.script, "serve", str(port)])
        wait_for(port, self.process)
        self.url = f"ws://127.0.0.1:{port}/"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def _closed():
    raise OSError("the client is gone")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def wait_for(port, process):
    for _ in range(100):
        if process.poll() is not None:
            raise SystemExit("run: the server did not start")
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except ConnectionRefusedError:
            time.sleep(0.05)
    raise SystemExit("run: the server does not respond")
