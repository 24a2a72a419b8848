"""How a file server is asked: through a relay, by afcli and without it."""

import json
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

from file_relay import Relay, ask
from harness import Fault

MIB = 1 << 20
SIZE = 6 * MIB
OLD, NEW = random.Random(1).randbytes(SIZE), random.Random(2).randbytes(SIZE)
TEXT, NEW_TEXT = OLD[: SIZE // 2].hex().encode(), NEW[: SIZE // 2].hex().encode()
# The first and the last MiB are replaced; the 64 KiB before the joint are equal.
ENDS_CHANGED = NEW[:MIB] + OLD[MIB:-MIB] + NEW[-MIB:]
# Whole seconds long ago: a date is a strong validator only if it is older than the response (RFC 9110, 8.8.2.2).
OLD_TIME, NEW_TIME = 1_600_000_000, 1_700_000_000
RATE = "3M"

STALE = "The cache sends the old version, complete, while it is fresh (RFC 9111, 4.2)."


class Visit:
    """A server, and how it is asked: directly, over HTTP/2 or behind another server."""

    def __init__(self, tool, server, site, port, base=None, options=(), is_readable=True, caches=False):
        self.tool, self.server, self.site, self.port = tool, server, site, port
        self.relay = Relay(port)
        self.base = base or f"http://127.0.0.1:{self.relay.port}"
        self.options = tuple(option.replace("RELAY", str(self.relay.port)) for option in server.options + options)
        # The relay cannot read TLS.
        self.is_readable = is_readable
        # Why it may send the old version; empty if it may not.
        self.caches = server.stale or (STALE if server.caches or caches else "")
        # The contents of files that a kill may leave, because it came late.
        self.complete_files = (OLD, TEXT)
        self.folder = pathlib.Path(tempfile.mkdtemp(dir=site.folder))

    def clean(self):
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def place(self, name, data, seconds, **options):
        """Replaces a file of the server."""
        self.server.place(self.site, name, data, seconds, **options)
        time.sleep(self.server.settle)

    def target(self, name):
        return self.server.target(self.site, name)

    def url(self, name):
        return self.base + self.target(name)

    def run(self, *arguments, timeout=120):
        """Returns the completed run with the values of --write-out."""
        self.relay.clear()
        format_ = "%{stderr}\\n%{http_code} %{size_download} %{http_version} %{num_redirects}"
        done = self.tool.run(*self.options, "--write-out", format_, *arguments, cwd=self.folder, timeout=timeout)
        done.err, _, values = done.err.rstrip("\n").rpartition("\n")
        code, size, done.http_version, redirects = (values.split(" ") + ["0"] * 4)[:4]
        done.code, done.size, done.redirects = (int(v) if v.isdigit() else 0 for v in (code, size, redirects))
        return done

    def kill(self, name, *arguments, rate=RATE, middle=(MIB // 2, SIZE)):
        """Downloads a file, and kills afcli when its record has as many bytes as `middle` says."""
        for _ in range(4):
            self.clean()
            was_alive = self.kill_once("-o", "f", self.url(name), "--limit-rate", rate, *arguments)
            # Without ranges nothing can be resumed, and there is no record.
            is_hit = middle[0] <= self.recorded(middle[0]) <= middle[1]
            if was_alive and self.file() is not None and self.file() not in self.complete_files:
                raise Fault("a partial file under the final name after SIGKILL")
            if was_alive and self.file() is None and is_hit:
                return
        raise Fault("four kills missed the middle of the transfer: nothing is known")

    def kill_once(self, *arguments):
        """Kills afcli 1.4 s after the first bytes: by then it has updated its record once."""
        self.relay.clear()
        process = subprocess.Popen([self.tool.path, *self.options, *arguments], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.tool.environment(self.folder))
        start = first = time.monotonic()
        while process.poll() is None and time.monotonic() < min(first + 1.4, start + 30):
            if self.relay.forwarded < MIB // 16:
                first = time.monotonic()
            time.sleep(0.01)
        was_alive = process.poll() is None
        process.kill()
        process.wait()
        return was_alive

    def recorded(self, default):
        """The bytes that the record of the partial file has."""
        path = self.folder / "f.part.json"
        if not path.exists():
            return default
        record = json.loads(path.read_bytes())
        return record["completedBytes"] + sum(end - start for start, end in record.get("segments", []))

    def file(self, name="f"):
        path = self.folder / name
        return path.read_bytes() if path.is_file() else None

    def ask(self, name, method="GET", **fields):
        """Asks the server without afcli."""
        target = self.target(name)
        # The same Host as afcli's: caches distinguish them.
        host = self.base.split("/")[2]
        return ask(self.port, self.base + target if self.server.is_proxy else target, method, Host=host,
                   **self.server.fields, **fields)

    def validators(self, name):
        head = self.ask(name)
        return head.get("etag"), head.get("last-modified")

    def end(self):
        self.relay.end()
