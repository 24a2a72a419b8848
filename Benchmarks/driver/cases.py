"""The measured work. P-numbers are permanent names; missing numbers are measured elsewhere."""

import dataclasses
import filecmp
import importlib.util
import json
import pathlib
import random
import re
import subprocess
import sys
import zlib

from . import documents
from .measuring import Case, Program
from .servers import NGINX, SilentServer, UploadSink, WebSocketServer

MIB = 1 << 20


@dataclasses.dataclass
class Bench:
    """The common parameters of all cases."""
    afcli: pathlib.Path
    programs: pathlib.Path
    scratch: pathlib.Path
    server: NGINX

    def __post_init__(self):
        # An empty home directory: no user settings.
        self.home = self.scratch / "home"
        self.home.mkdir()
        self.counter = self.scratch / "allocation-counter.so"
        source = pathlib.Path(__file__).parents[2] / "Tests/AllocationCounter/counter.c"
        subprocess.run(["clang", "-shared", "-fPIC", "-O2", "-o", self.counter, source], check=True)

    def serve(self, name, content):
        path = self.server.files / name
        if not path.exists():
            path.write_bytes(content)
        return path


SMALL = b'{"id": 1, "name": "Ada", "born": 1815}\n'


def small(bench, size, url, ours={}, theirs={}):
    """Complete processes, from start to end: the cost of each call in a script."""
    bench.serve("small.json", SMALL)

    def check(path):
        assert path.read_bytes() == SMALL, "the output is not the body"

    return dict(size=size, rounds=41, amount=1, unit="runs/s", check=check, programs=[
        Program("afcli", [bench.afcli, "get", f"{url}/small.json"], ours),
        Program("curl", ["curl", "-sS", f"{url}/small.json"], theirs),
    ])


def p1(bench):
    yield Case("P1", **small(bench, "http", bench.server.http))


def p2(bench):
    """Each tool with its default trust store on this system, and a new authority added."""
    yield Case("P2", **small(bench, "https", bench.server.https,
                             ours={"SSL_CERT_DIR": str(bench.server.trust_directory)},
                             theirs={"SSL_CERT_FILE": str(bench.server.trust_bundle)}))


def p3(bench):
    """Runs without network: mostly the start of the program. Peers have no `--offline`; only their start is compared."""
    for arguments in (["--version"], ["--help"], ["--offline", "get", "http://localhost/", "key==value"]):
        def check(path):
            assert path.stat().st_size > 0, "nothing was printed"

        yield Case("P3", arguments[0], rounds=41, amount=1, unit="runs/s", check=check, programs=[
            Program("afcli", [bench.afcli, *arguments]),
            Program("curl --version", ["curl", "--version"]),
        ])


def write_blocks(path, mebibytes):
    # Not a multiple of a block size, so that a misplaced block is detected.
    block = random.Random(4).randbytes(MIB + 13)
    with path.open("wb") as file:
        for _ in range(mebibytes):
            file.write(block)
        file.truncate(mebibytes * MIB)


def rounds_of(mebibytes):
    """A virtual machine may have to request the memory of a file from its host: short transfers vary by half."""
    return max(5, 15 - mebibytes // 64)


def p4(bench):
    for mebibytes in (64, 256, 1024):
        source = bench.server.files / f"{mebibytes}.bin"
        write_blocks(source, mebibytes)
        url = f"{bench.server.http}/{source.name}"
        target = bench.scratch / "download"

        def check(path, source=source):
            assert filecmp.cmp(path, source, shallow=False), "the file is not what the server has"

        yield Case("P4", f"{mebibytes} MiB", rounds=rounds_of(mebibytes), amount=mebibytes, unit="MiB/s", check=check,
                   clean=source.unlink, programs=[
                       Program("afcli", [bench.afcli, "get", url, "-o", target], file=target),
                       Program("curl", ["curl", "-sS", "-o", target, url], file=target),
                       Program("wget", ["wget", "-q", "-O", target, url], file=target),
                   ])


def p5(bench):
    """All programs upload to the same server, whose time is not measured."""
    with UploadSink() as sink:
        for mebibytes in (64, 256, 1024):
            source = bench.scratch / f"{mebibytes}.bin"
            write_blocks(source, mebibytes)
            check = 0
            with source.open("rb") as file:
                while block := file.read(MIB):
                    check = zlib.crc32(block, check)
            wanted = {"bytes": mebibytes * MIB, "crc": check}

            def compare(path, wanted=wanted):
                assert json.loads(path.read_bytes()) == wanted, "the received bytes differ from the file"

            yield Case("P5", f"{mebibytes} MiB", rounds=rounds_of(mebibytes), amount=mebibytes, unit="MiB/s",
                       check=compare, clean=source.unlink, programs=[
                           Program("afcli", [bench.afcli, "--progress=never", "post", sink.url, "-F", f"f=@{source}"]),
                           Program("curl", ["curl", "-sS", "-F", f"f=@{source}", sink.url]),
                       ])


def p6(bench):
    """Formatting while downloading, compared with the usual pipe; curl's part of it is small."""
    for megabytes, rounds in ((1, 11), (16, 5), (77, 3)):
        source = bench.server.files / f"{megabytes}.json"
        write_json(source, megabytes * 1_000_000)
        url = f"{bench.server.http}/{source.name}"

        def check(path, source=source):
            assert json.loads(path.read_bytes()) == json.loads(source.read_bytes()), "not the same JSON"
            assert path.stat().st_size > source.stat().st_size * 1.1, "the output is not formatted"

        yield Case("P6", f"{megabytes} MB", rounds=rounds, amount=megabytes, unit="MB/s", check=check,
                   clean=source.unlink, programs=[
                       Program("afcli", [bench.afcli, "-b", "--pretty=format", "get", url]),
                       Program("curl | jq", ["sh", "-c", 'curl -sS "$0" | jq .', url]),
                   ])
    for kind in documents.KINDS:
        yield formatting(bench, kind, 30)


def formatting(bench, kind, megabytes):
    """A document of one kind: formatted, with colors, and one member of each value."""
    source = bench.server.files / f"{kind.replace(' ', '-')}.json"
    documents.write(source, kind, megabytes * 1_000_000)
    member = documents.KINDS[kind].member
    url = f"{bench.server.http}/{source.name}"

    def check(path):
        output = re.sub(rb"\x1b\[[0-9;]*m", b"", path.read_bytes())
        values = json.loads(source.read_bytes())
        if output.startswith(b"["):
            assert json.loads(output) == values, "not the same JSON"
        else:
            members = [json.loads(line) for line in output.splitlines()]
            assert members == [value[member] for value in values], f"not each {member}"

    return Case("P6", kind, rounds=5, amount=megabytes, unit="MB/s", check=check, clean=source.unlink, programs=[
        Program("afcli", [bench.afcli, "-b", "--pretty=format", "get", url]),
        Program("afcli, colored", [bench.afcli, "-b", "--pretty=all", "get", url]),
        Program("afcli --filter", [bench.afcli, "--filter", f"[].{member}", "get", url]),
        Program("curl | jq", ["sh", "-c", 'curl -sS "$0" | jq .', url]),
    ])


def p12(bench):
    """Filtering while downloading, compared with the usual pipe."""
    megabytes = 77
    source = bench.server.files / f"{megabytes}.json"
    write_json(source, megabytes * 1_000_000)
    url = f"{bench.server.http}/{source.name}"

    def check(path):
        names = [record["name"] for record in json.loads(source.read_bytes())]
        assert [json.loads(line) for line in path.read_bytes().splitlines()] == names, "not the names of the records"

    yield Case("P12", f"{megabytes} MB", rounds=3, amount=megabytes, unit="MB/s", check=check, clean=source.unlink,
               programs=[
                   Program("afcli", [bench.afcli, "--filter", "[].name", "get", url]),
                   Program("curl | jq", ["sh", "-c", 'curl -sS "$0" | jq -c ".[].name"', url]),
               ])


def write_json(path, size):
    """Writes an array of records with all kinds of values, on one line."""
    source = random.Random(6)
    with path.open("w", encoding="utf-8") as file:
        separator = "["
        while file.tell() < size:
            # tell() is slow, so it is called once per batch.
            for _ in range(200):
                record = {
                    "id": source.getrandbits(40),
                    "name": "".join(source.choices("abcdefghij æøå東京", k=20)),
                    "ratio": source.random(),
                    "active": source.random() < 0.5,
                    "parent": None,
                    "note": 'a "quoted" line\nand another\twith a tab',
                    "tags": source.sample(["red", "green", "blue", "white", "black"], 3),
                    "position": {"x": source.randint(-999, 999), "y": source.randint(-999, 999), "empty": {}, "none": []},
                }
                file.write(separator + json.dumps(record, ensure_ascii=False, separators=(",", ":")))
                separator = ","
        file.write("]")


# The programs of P7, ours first; the transport is the part of the core that uses libcurl.
CLIENTS = {
    "AFCore": "core-bench",
    "AFTransport": "transport-bench",
    "C on curl_multi": "curl-multi-bench",
    "AsyncHTTPClient": "async-http-client-bench",
    "URLSession": "urlsession-bench",
}


def clients(bench, url, count, in_flight, *options, without=()):
    return [Program(name, [bench.programs / client, url, str(count), str(in_flight), *map(str, options)], reports=True)
            for name, client in CLIENTS.items() if name not in without]


def p7(bench):
    """The core alone, with open connections: requests for a small file, one at a time and many in flight."""
    bench.serve("small.json", SMALL)
    for in_flight, count in ((1, 10_000), (16, 20_000), (64, 20_000)):
        yield Case("P7", f"{in_flight} in flight", rounds=5, amount=count, unit="requests/s", counts_allocations=True,
                   programs=clients(bench, f"{bench.server.http}/small.json", count, in_flight))


def p7b(bench):
    """Like P7 with other requests, 64 in flight: a POST, two hosts with different options in turn, HTTP/2 over TLS."""
    bench.serve("small.json", SMALL)
    api, other = f"{bench.server.http}/api/", f"{bench.server.other}/api/"
    authority = bench.server.root / "authority.pem"
    for size, arguments in (("POST", (api, 20_000, 64, "--post", 200)),
                            ("two hosts", (api, 20_000, 64, "--other", other)),
                            ("HTTP/2", (f"{bench.server.https}/small.json", 20_000, 64, "--authority", authority))):
        yield Case("P7b", size, rounds=5, amount=20_000, unit="requests/s", counts_allocations=True,
                   programs=clients(bench, *arguments, without=("URLSession",)))


def p14(bench):
    """Two origins in turn, 64 requests in flight, with one thread of the transport and with two."""
    bench.serve("small.json", SMALL)
    urls = [f"{bench.server.http}/api/", "20000", "64", "--other", f"{bench.server.other}/api/"]
    yield Case("P14", "64 in flight", rounds=5, amount=20_000, unit="requests/s", programs=[
        Program(name, [bench.programs / "core-bench", *urls, "--threads", str(count)], reports=True)
        for name, count in (("2 threads", 2), ("1 thread", 1))
    ])


def p8(bench):
    """Many concurrent transfers: slow ones, each on its own connection, and fast ones beside others that are very slow or
    silent."""
    (bench.server.files / "slow").mkdir(exist_ok=True)
    (bench.server.files / "idle").mkdir(exist_ok=True)
    bench.serve("slow/kilobyte", bytes(1024))
    bench.serve("idle/kilobyte", bytes(1024))
    bench.serve("small.json", SMALL)
    for in_flight in (1000, 5000, 10_000):
        url = f"{bench.server.http}/slow/kilobyte"
        yield Case("P8", f"{in_flight} slow", rounds=1, amount=in_flight, unit="requests/s",
                   programs=clients(bench, url, in_flight, in_flight,
                                    without=("AFTransport", "AsyncHTTPClient", "URLSession")))
    with SilentServer() as silent:
        for count, kind, url in ((0, "idle", None), (1000, "idle", f"{bench.server.other}/idle/kilobyte"),
                                 (10_000, "idle", f"{bench.server.other}/idle/kilobyte"),
                                 (1000, "silent", silent.url), (10_000, "silent", silent.url)):
            command = [bench.programs / "core-bench", f"{bench.server.http}/small.json", "20000", "64"]
            if url:
                command += ["--idle", f"{count},{url}"]
            yield Case("P8", f"{count} {kind}", rounds=3, amount=20_000, unit="requests/s",
                       programs=[Program("AFCore", command, reports=True)])


def p9(bench):
    """Four parallel connections to a server that throttles each of them."""
    folder = bench.server.files / "throttled"
    folder.mkdir(exist_ok=True)
    for mebibytes in (16, 64, 128):
        source = folder / f"{mebibytes}.bin"
        write_blocks(source, mebibytes)
        url = f"{bench.server.http}/throttled/{source.name}"
        target = bench.scratch / "segments"

        def check(path, source=source):
            assert filecmp.cmp(path, source, shallow=False), "the file is not what the server has"

        yield Case("P9", f"{mebibytes} MiB", rounds=3, amount=mebibytes, unit="MiB/s", check=check,
                   clean=source.unlink, programs=[
                       Program("afcli", [bench.afcli, "get", url, "-o", target, "--segments=4"], file=target),
                       Program("aria2c", ["aria2c", "-q", "--no-conf", "-x4", "-s4", "-k1M", "-d", target.parent,
                                          "-o", target.name, url], file=target),
                       Program("curl", ["curl", "-sS", "-o", target, url], file=target),
                   ])


def p11(bench):
    """Many small files of one server, four at a time."""
    for count in (50, 200, 800):
        yield batch(bench, "P11", f"{count} files", bench.server.http, count, 4, ["-Z", "--parallel-max", "4"])


def p15(bench):
    """Many small files of one server over TLS, which one connection can transfer."""
    yield batch(bench, "P15", "in sequence", bench.server.https, 100, 1, [])
    yield batch(bench, "P15", "over HTTP/2", bench.server.https, 100, 4, ["-Z", "--parallel-max", "4"])


def batch(bench, name, size, server, count, width, parallel):
    """A list of files; `parallel` are curl's options for `width` of them at a time."""
    folder = bench.server.files / "many"
    folder.mkdir(exist_ok=True)
    names = [f"{number}.bin" for number in range(count)]
    for number, file in enumerate(names):
        bench.serve(f"many/{file}", random.Random(number).randbytes(3000 + number % 13))
    urls = bench.scratch / "urls"
    urls.write_text("".join(f"{server}/many/{file}\n" for file in names))
    settings = bench.scratch / "settings"
    settings.write_text("".join(f'url = "{server}/many/{file}"\noutput = "{file}"\n' for file in names))
    target = bench.scratch / "files"
    trust = {"SSL_CERT_FILE": str(bench.server.trust_bundle)}

    def check(path):
        for file in names:
            assert filecmp.cmp(path / file, folder / file, shallow=False), f"{file} is not what the server has"

    command = ["curl", "-sS", *parallel, "--create-dirs", "--output-dir", target, "-K", settings]
    programs = [
        Program("afcli", [bench.afcli, "--input", urls, "--parallel", str(width), "--create-dirs", "--output-dir",
                          target], {"SSL_CERT_DIR": str(bench.server.trust_directory)}, file=target),
        Program("curl -Z" if parallel else "curl", command, trust, file=target),
    ]
    if name == "P15":
        programs.append(Program("afcli curl", [bench.afcli, *command], trust, file=target))
    if name == "P11":
        programs.append(Program("wget", ["wget", "-q", "-P", target, "-i", urls], file=target))
    return Case(name, size, rounds=11, amount=count, unit="files/s", check=check, programs=programs)


def p13(bench):
    """WebSocket messages and their echoes: round trips of small messages, and large ones. The server is the same for both."""
    if not importlib.util.find_spec("websockets") or not importlib.util.find_spec("websockets.asyncio"):
        print("P13 is left out: it needs the Python package websockets 13 or later.", file=sys.stderr)
        return
    peer = pathlib.Path(__file__).with_name("websocket.py")
    with WebSocketServer(peer) as server:
        for size, count, in_flight, amount, unit in ((100, 10_000, 1, 10_000, "requests/s"),
                                                     (100, 20_000, 16, 20_000, "requests/s"),
                                                     (MIB, 200, 1, 400, "MiB/s"), (16 * MIB, 16, 1, 512, "MiB/s")):
            arguments = [server.url, str(count), str(in_flight), "--post", str(size)]
            name = f"{size} B" if size < MIB else f"{size // MIB} MiB"
            yield Case("P13", f"{name}, {in_flight} in flight", rounds=5, amount=amount, unit=unit, programs=[
                Program("AFCore", [bench.programs / "websocket-bench", *arguments], reports=True),
                Program("websockets", [sys.executable, peer, *arguments], reports=True),
            ])


REQUESTS = """
import sys

import requests

session = requests.Session()
for line in open(sys.argv[1]):
    response = session.get(line.strip())
    assert response.status_code == 200 and response.json()["id"] == 1
"""


def p16(bench):
    """A file of requests, each with an assert, beside a list of the same URLs, a loop of curl and a script."""
    bench.serve("small.json", SMALL)
    count = 1000
    urls = [f"{bench.server.http}/small.json?{number}" for number in range(count)]
    addresses = bench.scratch / "addresses"
    addresses.write_text("".join(f"{url}\n" for url in urls))
    entries = bench.scratch / "entries.hurl"
    entries.write_text("".join(f'GET {url}\nHTTP 200\n[Asserts]\njsonpath "$.id" == 1\n\n' for url in urls))
    target = bench.scratch / "saved"
    loop = 'while read -r url; do curl -fsS -o /dev/null "$url" || exit 1; done <"$0"'
    programs = [
        Program("afcli run", [bench.afcli, "run", "--no-output", entries]),
        Program("afcli --input", [bench.afcli, "--input", addresses, "--create-dirs", "--output-dir", target],
                file=target),
        Program("curl in a loop", ["sh", "-c", loop, addresses]),
    ]
    if importlib.util.find_spec("requests"):
        programs.append(Program("requests", [sys.executable, "-c", REQUESTS, addresses]))
    yield Case("P16", f"{count} entries", rounds=3, amount=count, unit="requests/s", programs=programs)


def p17(bench):
    """A file of one request, from the start to the end of the process, beside a plain GET."""
    bench.serve("small.json", SMALL)
    url = f"{bench.server.http}/small.json"
    entry = bench.scratch / "entry.hurl"
    entry.write_text(f"GET {url}\nHTTP 200\n")

    def check(path):
        assert path.read_bytes() == SMALL, "the output is not the body"

    yield Case("P17", "1 entry", rounds=41, amount=1, unit="runs/s", check=check, programs=[
        Program("afcli run", [bench.afcli, "run", entry]),
        Program("afcli get", [bench.afcli, "get", url]),
    ])


ALL = {"P1": p1, "P2": p2, "P3": p3, "P4": p4, "P5": p5, "P6": p6, "P7": p7, "P7B": p7b, "P8": p8, "P9": p9,
       "P11": p11, "P12": p12, "P13": p13, "P14": p14, "P15": p15, "P16": p16, "P17": p17}
