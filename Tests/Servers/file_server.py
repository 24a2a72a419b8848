"""What a file server is: how it is installed, started and filled, and what it cannot do."""

import dataclasses
import os
import shutil
import subprocess
import typing

import harness
from harness import CACHE, Unavailable, debian, package_version

CHANGES = ("changed: other size", "changed: same size", "changed: same size and second",
           "same size and second, equal middle", "the same with `--checksum`", "truncated", "appended",
           "complete, then changed", "segments, changed: same size and second", "gzip, changed",
           "HTTP/2: killed, changed, segments, killed", "behind nginx: killed, changed", "behind HAProxy",
           "behind Varnish", "through Squid")
GZIP = ("`Accept-Encoding:gzip`", "gzip, killed", "gzip, changed")
ALL_FRONTS = ("nginx", "HAProxy", "Varnish", "Squid")


def place(site, name, data, seconds, in_place=False):
    """Replaces a file as a deployment does, by renaming, or changes it in place; with this date."""
    path = site.root / name
    if in_place:
        with open(path, "r+b") as file:
            file.write(data)
            file.truncate()
        os.utime(path, (seconds, seconds))
    else:
        new = path.with_name(path.name + ".new")
        new.write_bytes(data)
        os.utime(new, (seconds, seconds))
        os.replace(new, path)


@dataclasses.dataclass
class Server:
    install: typing.Callable
    """Installs it, and returns its version."""
    start: typing.Callable
    """Starts it for a site on a port, and on `site.tls_port` with TLS."""
    target: typing.Callable = lambda site, name: f"/{name}"
    place: typing.Callable = place
    prepare: typing.Callable = lambda site: None
    is_filled_late: bool = False
    options: tuple = ()
    """Options of afcli; RELAY is the port of the relay."""
    fields: dict = dataclasses.field(default_factory=dict)
    """Header fields of requests without afcli."""
    has_tls: bool = False
    is_proxy: bool = False
    caches: bool = False
    stale: str = ""
    """Why it sends the old version of a file, if it is no cache."""
    large: bool = False
    settle: float = 0
    """Seconds that the server may serve an old version from its memory."""
    fronts: tuple = ("nginx",)
    missing: tuple = ()
    """Situations that the server cannot have."""
    notes: dict = dataclasses.field(default_factory=dict)
    """Situation → (expected text, deviation, limit), if the reason cannot be found by asking."""


def package(name, *more):
    def install():
        debian(name, "openssl", *more)
        return package_version(name)
    return install


def is_root():
    return os.geteuid() == 0


def command(*words):
    """A server that is a command: `{port}`, `{root}` and `{folder}` are replaced."""
    def start(site, port):
        site.start(port, *(word.format(port=port, root=site.root, folder=site.folder) for word in words))
    return start


def unpacked(name, *needs):
    """A package that conflicts with another one here: it is unpacked only."""
    def install():
        debian(*needs)
        folder = CACHE / "debian" / name
        with harness.lock(name):
            if not (folder / "version").exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir(parents=True)
                for words in (["apt-get", "download", "--quiet", name], ["sh", "-c", "dpkg -x *.deb ."]):
                    if subprocess.run(words, cwd=folder, capture_output=True).returncode:
                        raise Unavailable(f"Debian's {name} cannot be downloaded")
                version = next(folder.glob("*.deb")).name.split("_")[1]
                (folder / "version").write_text(version.split("-")[0].split("+")[0])
        return (folder / "version").read_text()
    return install
