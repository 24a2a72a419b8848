"""The programs that upload a file, and how a run of one ends."""

import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

from peers import HERE, LOGIN, KEY, PEERS, harness

TIMEOUT = 60
# The status of afcli for a usage error.
USAGE = 64


@dataclasses.dataclass
class Outcome:
    status: int
    """Negative if a signal ended the program."""
    message: str
    seconds: float
    processor: float
    """Seconds of user and system time."""
    peak: int
    """The most memory that the program had, in KiB."""
    is_late: bool = False
    """Whether it was ended because it did not end."""

    @property
    def was_killed(self):
        return self.status == -signal.SIGKILL and not self.is_late


class Run:
    """A program while it runs."""

    def __init__(self, command, cwd, environment):
        self.started = time.monotonic()
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([str(part) for part in command], cwd=cwd, env=environment,
                                        stdin=subprocess.DEVNULL, stdout=self.errors, stderr=self.errors)
        # Unlike its number, it never means another process.
        self.handle = os.pidfd_open(self.process.pid)

    def kill(self):
        """Ends the program at once, if it has not ended."""
        with contextlib.suppress(ProcessLookupError, ChildProcessError):
            signal.pidfd_send_signal(self.handle, signal.SIGKILL)
            os.waitid(os.P_PIDFD, self.handle, os.WEXITED | os.WNOWAIT)

    def wait(self, timeout=TIMEOUT):
        peak, end, is_late = 0, self.started + timeout, False
        while True:
            # The kernel's figure for ended programs begins with the memory of the one that started them.
            peak = max(peak, memory(self.process.pid))
            pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > end:
                self.kill()
                is_late = True
            time.sleep(0.01)
        os.close(self.handle)
        self.handle = -1
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.errors.seek(0)
        message = self.errors.read().decode("utf-8", "replace").strip()
        self.errors.close()
        if is_late:
            message = f"no end within {timeout} s: {message}"
        return Outcome(self.process.returncode, message, time.monotonic() - self.started,
                       usage.ru_utime + usage.ru_stime, peak, is_late)


def memory(pid):
    try:
        for line in open(f"/proc/{pid}/status"):
            if line.startswith("VmHWM"):
                return int(line.split()[1])
    except OSError:
        pass
    return 0


class Client:
    """A program that uploads. Its state is in the directory that it runs in."""

    name = ""
    protocols = ()
    resumes = True
    """Whether a second run is expected to continue the first one."""

    def command(self, peer, name, retry):
        raise NotImplementedError

    has_segments = False

    def more(self, peer, **wishes):
        """The arguments for a `login` of HTTP, for an upload in `segments`, and for a `plain`, not resumable one."""
        return ()

    def environment(self, cwd):
        return {"PATH": harness.PATH, "HOME": str(cwd), "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
                "PYTHONDONTWRITEBYTECODE": "1"}

    def start(self, peer, cwd, name="f", retry=0, **wishes):
        return Run((*self.command(peer, name, retry), *self.more(peer, **wishes)), cwd, self.environment(cwd))


class Afcli(Client):
    name = "afcli"

    def __init__(self, path):
        self.path = os.path.abspath(path)
        text = subprocess.run([self.path, "--version"], capture_output=True, text=True).stdout
        self.version = text.splitlines()[0] if text else "?"
        names = dict.fromkeys(peer.protocol for peer in PEERS.values())
        self.protocols = [name for name in names if self.understands("--upload-protocol", name)]
        self.has_segments = self.understands("--upload-protocol", "tus", "--segments", "4")
        if not self.protocols:
            raise harness.Unavailable("this afcli does not resume uploads")

    def understands(self, *options):
        """Whether an upload with these options gets as far as the connection, to a port without a server."""
        with tempfile.TemporaryDirectory(prefix="upload-") as folder:
            pathlib.Path(folder, "f").write_bytes(b"f")
            command = [self.path, "-q", "put", "http://127.0.0.1:1/a/b", "@f", "--resume", *options, *LOGIN]
            done = subprocess.run(command, cwd=folder, env=self.environment(folder), stdin=subprocess.DEVNULL,
                                  capture_output=True, timeout=TIMEOUT)
        return done.returncode != USAGE

    def command(self, peer, name, retry):
        retries = ("--retry", retry, "--retry-delay", "0.1") if retry else ()
        return self.path, "-q", "put", peer.url(name), "@f", *retries

    def more(self, peer, login="", segments=0, plain=False):
        given = (() if plain else ("--resume", *peer.options()), ("-a", login) if login else (),
                 ("--segments", segments) if segments else ())
        return [argument for arguments in given for argument in arguments]


class Tuspy(Client):
    name, protocols = "tuspy", ("tus",)

    def __init__(self):
        self.python = harness.python("uploads-tuspy", "tuspy==1.1.0")
        self.version = "tuspy " + harness.python_version(self.python, "tuspy")

    def command(self, peer, name, retry):
        return self.python, HERE / "apps/tuspy_client.py", peer.url(name), "f", retry


class AWS(Client):
    name, protocols, resumes = "awscli", ("s3",), False

    def __init__(self):
        self.python = harness.python("uploads-awscli", "awscli==1.45.11")
        self.version = "awscli " + harness.python_version(self.python, "awscli")

    def command(self, peer, name, retry):
        endpoint = f"http://127.0.0.1:{peer.proxy.port}"
        return (self.python.parent / "aws", "--endpoint-url", endpoint, "--region", "us-east-1", "s3", "cp",
                "--no-progress", "f", f"s3://bucket/{name}")

    def environment(self, cwd):
        key, secret = KEY.split(":")
        return {**super().environment(cwd), "AWS_ACCESS_KEY_ID": key, "AWS_SECRET_ACCESS_KEY": secret}

    def start(self, peer, cwd, name="f", retry=0, **wishes):
        environment = {**self.environment(cwd), "AWS_MAX_ATTEMPTS": str(retry + 1)}
        return Run(self.command(peer, name, retry), cwd, environment)


class Reference(Client):
    """Speaks the draft in the plainest way. With `fault`, it does one thing wrong, which the judge must see."""

    protocols = ("draft",)

    def __init__(self, fault=""):
        self.fault = fault
        self.name = f"reference ({fault})" if fault else "reference"
        self.version = "apps/draft_client.py"

    def command(self, peer, name, retry):
        return sys.executable, HERE / "apps/draft_client.py", peer.url(name), "f", retry, self.fault


REFERENCE_FAULTS = ("assumes", "trusts", "mixes", "shares", "silent")
