"""The servers that uploads go to. Each has a proxy in front of it, and can be restarted."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Servers"))
import harness  # noqa: E402
from proxy import Proxy  # noqa: E402

UVICORN = ("uvicorn==0.54.0",)
KEY = "key:secret"
LOGIN = ("-A", "aws-sigv4", "-a", f"{KEY}:us-east-1:s3")


class Peer:
    """A server with its directory."""

    name = protocol = ""
    size = 6 << 20
    """The size of an upload of the torture."""
    mixes_after_kill = False
    """Whether the server itself mixes bytes after it was killed, even if the client is right."""
    holds_large = False
    """Whether the server writes a body to a file as it arrives, so that a large one is worth sending."""

    def __init__(self):
        self.site = harness.Site(f"uploads-{self.name}")
        self.port = harness.free_port()
        self.proxy = Proxy(self.port)
        self.version = self.install()
        self.start()

    def start(self):
        self.process = self.site.start(self.port, *self.command())

    def restart(self):
        """Kills the server, and starts it again: what was only in its memory is gone."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.site.processes.remove(self.process)
        self.start()

    def url(self, name):
        """The URL of an upload, through the proxy."""
        raise NotImplementedError

    def path(self, name):
        """The file of the complete upload that the requests since `begin` led to; `None` if there is none."""
        raise NotImplementedError

    def stored(self, name):
        """Its bytes."""
        path = self.path(name)
        return path.read_bytes() if path else None

    def left_behind(self, name):
        """The unfinished uploads of that name that the server still keeps, if it can tell."""
        return 0

    def options(self):
        """The options of afcli."""
        return ("--upload-protocol", self.protocol)

    def end(self):
        self.proxy.end()
        self.site.end()


class NIO(Peer):
    name, protocol = "swift-nio-extras", "draft"
    holds_large = True
    scratch = harness.CACHE / "uploads-nio"
    program = scratch / "debug/UploadServer"

    @classmethod
    def is_built(cls):
        return cls.program.exists()

    def install(self):
        if harness.is_short and self.is_built():
            return "1.35.2"
        package = HERE.parent / "Servers/uploads-nio"
        build = ["swift", "build", "--package-path", package, "--scratch-path", self.scratch, "--disable-index-store",
                 "-debug-info-format", "none"]
        with harness.lock("uploads-nio"):
            done = subprocess.run([str(part) for part in build], capture_output=True, text=True)
        if done.returncode:
            raise harness.Unavailable(f"{self.name} cannot be built: {done.stdout.strip()[-300:]}")
        return "1.35.2"

    def command(self):
        return self.program, self.port, self.site.root, f"http://127.0.0.1:{self.proxy.port}"

    def url(self, name):
        return f"http://127.0.0.1:{self.proxy.port}/{name}"

    def path(self, name):
        path = self.site.root / name
        return path if path.exists() else None


class Tus(Peer):
    protocol = "tus"

    def url(self, name):
        return f"http://127.0.0.1:{self.proxy.port}/files/"

    def path(self, name):
        for request in reversed(self.proxy.requests):
            target = request.target
            if request.method == "POST" and request.status == 201:
                target = request.response_headers.get("location", "")
            identifier = urllib.parse.urlsplit(target).path.rstrip("/").rsplit("/", 1)[-1]
            path = self.site.root / self.folder / identifier
            if request.status // 100 == 2 and identifier and path.is_file():
                return path
        return None


class Tuspyserver(Tus):
    name, folder = "tuspyserver", "."
    holds_large = True
    # findings/tuspyserver-killed-in-patch.sh
    mixes_after_kill = True

    def install(self):
        self.python = harness.python("uploads-tuspyserver", "tuspyserver==4.4.3", "fastapi==0.165.0", *UVICORN)
        return harness.python_version(self.python, "tuspyserver")

    def command(self):
        return self.python, HERE / "apps/tuspyserver_app.py", self.port, self.site.root


class Tussi(Tus):
    name, folder = "tussi", "complete"

    def install(self):
        self.python = harness.python("uploads-tussi", "tussi==3.1.0", *UVICORN)
        return harness.python_version(self.python, "tussi")

    def command(self):
        return self.python, HERE / "apps/tussi_app.py", self.port, self.site.root


class ResumableUpload(Tus):
    name, folder = "resumable-upload", "."

    def install(self):
        self.python = harness.python("uploads-resumable-upload", "resumable-upload==0.3.0")
        return harness.python_version(self.python, "resumable-upload")

    def command(self):
        return (self.python, "-m", "resumable_upload", "serve", "--host", "127.0.0.1", "--port", self.port,
                "--upload-dir", self.site.root, "--db-path", self.site.folder / "uploads.db")


class Moto(Peer):
    """Its uploads live in memory: a restart forgets them, and the bucket."""

    name, protocol = "moto", "s3"
    # afcli sends an upload in parts from 64 MiB on.
    size = 66 << 20

    def install(self):
        self.python = harness.python("uploads-moto", "moto[s3,server]==5.1.5", "setuptools==80.9.0")
        return harness.python_version(self.python, "moto")

    def command(self):
        return self.python.parent / "moto_server", "-H", "127.0.0.1", "-p", self.port

    def start(self):
        super().start()
        self.ask("PUT", "/bucket")

    def ask(self, method, path):
        # A key of the request would be checked; none is not.
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.read()
        except urllib.error.HTTPError:
            return None

    def url(self, name):
        return f"http://127.0.0.1:{self.proxy.port}/bucket/{name}"

    def stored(self, name):
        content = self.ask("GET", f"/bucket/{name}")
        self.ask("DELETE", f"/bucket/{name}")
        return content

    def left_behind(self, name):
        listed = self.ask("GET", "/bucket?uploads") or b""
        return listed.count(f"<Key>{name}</Key>".encode())

    def options(self):
        return (*super().options(), *LOGIN)


PEERS = {peer.name: peer for peer in (NIO, Tuspyserver, Tussi, ResumableUpload, Moto)}
