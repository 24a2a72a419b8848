"""What every part of the table uses: the tool, servers in directories of their own, and results."""

import contextlib
import dataclasses
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
# Python environments and the sources of servers; `rm -r` of it is always right.
CACHE = REPOSITORY / ".build/servers"
# Set by the short run: no situation may take minutes.
is_short = False
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"


class Unavailable(Exception):
    """The server cannot be installed or started here: its row says so."""


class Fault(Exception):
    """afcli did something wrong: the run fails."""


@dataclasses.dataclass
class Result:
    """One cell of a table."""

    text: str
    """What afcli did, in a few words: `resumed`, `restarted`, `13`."""
    deviation: str = ""
    """How the server deviates from an RFC, and how afcli copes; empty if it does not deviate."""
    limit: str = ""
    """Why the result is not the best possible one; empty if it is."""
    is_fault: bool = False


@dataclasses.dataclass
class Row:
    """A server's results: situation → result."""

    server: str
    version: str
    results: dict[str, Result]
    unavailable: str = ""


@dataclasses.dataclass
class Completed:
    status: int
    out: bytes
    err: str

    def __str__(self):
        return f"status {self.status}: {self.err.strip()[-400:] or self.out[-200:]!r}"


class Tool:
    """The binary under test. Every run has an empty HOME and a minimal environment."""

    def __init__(self, path):
        self.path = os.path.abspath(path)

    def environment(self, home, **more):
        return {"PATH": PATH, "HOME": str(home), "LANG": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no", **more}

    def run(self, *arguments, cwd, data=None, timeout=60, **environment):
        """Runs the tool to its end. `data` is its standard input; without it, standard input is /dev/null."""
        source = {"input": data} if data is not None else {"stdin": subprocess.DEVNULL}
        try:
            done = subprocess.run([self.path, *map(str, arguments)], cwd=cwd, capture_output=True, timeout=timeout,
                                  env=self.environment(cwd, **environment), **source)
        except subprocess.TimeoutExpired as error:
            raise Fault(f"no end within {timeout} s: afcli {' '.join(map(str, arguments))}") from error
        return Completed(done.returncode, done.stdout, done.stderr.decode("utf-8", "replace"))

    def kill(self, *arguments, cwd, at, timeout=30):
        """Starts the tool and sends SIGKILL as soon as the files in `cwd` occupy `at` bytes.

        Returns whether it was killed before its end. Use --limit-rate, so that there is time to kill.
        """
        process = subprocess.Popen([self.path, *map(str, arguments)], cwd=cwd, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=self.environment(cwd))
        end = time.monotonic() + timeout
        while process.poll() is None and time.monotonic() < end:
            if occupied(cwd) >= at:
                break
            time.sleep(0.01)
        was_alive = process.poll() is None
        process.kill()
        process.wait()
        return was_alive


def occupied(directory):
    """The bytes that the files of a directory occupy; a sparse file counts with what was written."""
    total = 0
    for entry in os.scandir(directory):
        with contextlib.suppress(FileNotFoundError):
            if entry.is_file(follow_symlinks=False):
                total += min(entry.stat().st_size, entry.stat().st_blocks * 512)
    return total


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Site:
    """A directory for one server, with its files, its log and the processes that end with it."""

    def __init__(self, name):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"servers-{name.replace(' ', '-').replace('/', '-')}-"))
        # Servers and their workers often run as another user.
        self.folder.chmod(0o755)
        self.root = self.folder / "root"
        self.root.mkdir()
        self.processes = []

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def start(self, port, *command, seconds=30, **environment):
        """Starts a server and waits until something accepts connections on the port."""
        log = open(self.folder / f"log{len(self.processes)}", "wb")
        # A group of its own: servers that start workers end with them.
        process = subprocess.Popen([str(part) for part in command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=log, stderr=log, start_new_session=True,
                                   env={"PATH": PATH, "HOME": str(self.folder), "LANG": "C.UTF-8", **environment})
        self.processes.append(process)
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                socket.create_connection(("127.0.0.1", port), 0.5).close()
                return process
            if process.poll() is not None:
                break
            time.sleep(0.05)
        tail = pathlib.Path(log.name).read_text("utf-8", "replace").strip()[-300:]
        raise Unavailable(f"{command[0]} did not start: {tail}")

    def certificate(self):
        """The paths of a certificate for 127.0.0.1 and localhost, which is its own authority, and of its key."""
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        if not certificate.exists():
            subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                            "-nodes", "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=localhost",
                            "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost"], check=True, capture_output=True)
            key.chmod(0o644)
        return certificate, key

    def end(self):
        """Ends the servers with their groups, and removes the directory."""
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(3)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def debian(*packages):
    """Installs the Debian packages that are missing."""
    with lock("debian"):
        done = subprocess.run([REPOSITORY / ".ci/packages", *packages], capture_output=True, text=True)
    if done.returncode:
        raise Unavailable(f"Debian's {', '.join(packages)} cannot be installed")


def python(name, *requirements):
    """Returns the interpreter of an environment that has exactly these packages of PyPI, with versions."""
    environment = CACHE / "python" / name
    wanted, stamp = "\n".join(requirements), environment / "requirements.txt"
    with lock(name):
        if not stamp.exists() or stamp.read_text() != wanted:
            shutil.rmtree(environment, ignore_errors=True)
            environment.parent.mkdir(parents=True, exist_ok=True)
            for command in (["python3", "-m", "venv", environment],
                            [environment / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *requirements]):
                done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
                if done.returncode:
                    raise Unavailable(f"{', '.join(requirements)} cannot be installed: {done.stderr.strip()[-200:]}")
            stamp.write_text(wanted)
    return environment / "bin/python"


@contextlib.contextmanager
def lock(name):
    """One installation at a time."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def package_version(package):
    """The upstream version of an installed Debian package: 1.22.1, not 1.22.1-9."""
    text = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True)
    return text.stdout.split(":")[-1].rsplit("-", 1)[0].split("+")[0]


def python_version(interpreter, package):
    text = subprocess.run([interpreter, "-c", f"import importlib.metadata as m; print(m.version({package!r}))"],
                          capture_output=True, text=True, check=True)
    return text.stdout.strip()
