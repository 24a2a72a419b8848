"""File servers: downloads that are killed and resumed, while the file changes or not."""

import functools
import hashlib
import os
import shutil
import subprocess

import file_python
import file_servers
import harness
from file_judge import (NO_LENGTH, OUTLIVED_TAG, UNNOTICED, explained, fault, judge, message, why_not_complete,
                        why_not_resumed)
from file_relay import ask
from file_responses import INDEX, checksum, directory, gzip, head, not_modified, unsatisfiable
from file_visit import (ENDS_CHANGED, MIB, NEW, NEW_TEXT, NEW_TIME, OLD, OLD_TIME, RATE, SIZE, STALE, TEXT,
                        Visit)
from harness import Result, Row, Site, free_port

title = "File servers"
introduction = """
Each file has 6 MiB of random bytes. *Killed* means SIGKILL after about 4 MiB, and then the same command with
`--resume`. *Resumed* means that only the rest was received, *restarted* that the complete file was received again.
*Changed* means that the file was replaced between the two runs, *truncated* and *appended* that it was changed in
place. *Equal middle* is a change of the first and the last MiB, with the same size and date. *Old version* is the
complete old version. Every file with status 0 is compared with both versions, byte by byte: it must be one of them.
What the server saw is recorded between afcli and the server.
"""

# The 64 KiB before the joint must be in the part that is equal.
MIDDLE = {"middle": (2 * MIB, SIZE - 2 * MIB)}
CODED = ("The partial file has decompressed bytes, which a range of the compressed body cannot continue: the file is "
         "downloaded again. Downloads without this field request `identity`, and are resumed.")


# Situations: functions of a visit and of the name of a file that only this situation changes

def download(visit, name):
    done = visit.run("-o", "f", visit.url(name))
    result = judge(visit, name, done, OLD, OLD)
    if result.is_fault:
        return result
    # More files of this server, which nothing else asks for.
    for path in getattr(visit.site, "also", ()):
        visit.clean()
        done = visit.run("-o", "f", visit.base + path)
        if done.status or not visit.file() or visit.file() != ask(visit.port, path, is_body_wanted=True):
            return fault(f"{path}: {message(done)}")
    return Result("complete")


def resume(*options, content=OLD, rate=RATE):
    """A download that is killed and resumed; the file does not change."""
    def situation(visit, name):
        visit.kill(name, *options, rate=rate)
        done = visit.run("-o", "f", visit.url(name), "--resume", *options)
        result = judge(visit, name, done, content, content)
        if result.text == "restarted":
            result.limit = why_not_resumed(visit, name)
            if options[:1] == ("Accept-Encoding:gzip",):
                result.limit = result.limit or CODED
            result.is_fault = not result.limit
        return result
    return situation


def change(new, seconds, *options, old=OLD, rate=RATE, in_place=False):
    """A download that is killed, and resumed after the file changed."""
    def situation(visit, name):
        visit.kill(name, *options, rate=rate, **MIDDLE if new == ENDS_CHANGED else {})
        before = visit.validators(name)
        visit.place(name, new, seconds, in_place=in_place)
        done = visit.run("-o", "f", visit.url(name), "--resume", *options)
        result = judge(visit, name, done, new, old)
        after = visit.validators(name)
        if result.text == "mixed" and new == ENDS_CHANGED and before == after:
            return Result("mixed", limit=UNNOTICED)
        return explained(visit, result, before, after)
    return situation


def change_with_checksum(visit, name):
    """The change that only a checksum finds."""
    visit.kill(name, **MIDDLE)
    visit.place(name, ENDS_CHANGED, OLD_TIME)
    digest = hashlib.sha256(ENDS_CHANGED).hexdigest()
    command = ("-o", "f", visit.url(name), "--resume", "--checksum", f"sha256:{digest}")
    done = visit.run(*command)
    if done.status == 0:
        return judge(visit, name, done, ENDS_CHANGED, OLD)
    if visit.file() is not None:
        return fault("a file in spite of a wrong checksum")
    # The next run must not be wrong for ever.
    again = visit.run(*command)
    if again.status == 0 and visit.file() == ENDS_CHANGED:
        return Result("found, then restarted")
    if visit.caches:
        return Result("found", limit=STALE)
    return fault(f"found, then {message(again)}")


def complete(visit, name):
    """A complete file is not downloaded again."""
    visit.clean()
    if visit.run("-o", "f", visit.url(name)).status:
        return fault("no download")
    done = visit.run("-o", "f", visit.url(name), "--resume")
    result = judge(visit, name, done, OLD, OLD)
    if result.is_fault:
        return result
    # A 200 is aborted as soon as its header shows the same ETag.
    if done.size < SIZE // 2 and done.code in (200, 304):
        return Result(str(done.code))
    reason = why_not_complete(visit, name)
    return Result("restarted", limit=reason, is_fault=not reason)


def complete_changed(visit, name):
    """A complete file that changed on the server is replaced."""
    visit.clean()
    if visit.run("-o", "f", visit.url(name)).status:
        return fault("no download")
    before = visit.validators(name)
    visit.place(name, NEW + OLD[:MIB], NEW_TIME)
    done = visit.run("-o", "f", visit.url(name), "--resume")
    result = judge(visit, name, done, NEW + OLD[:MIB], OLD)
    after = visit.validators(name)
    first = visit.relay.responses[0] if visit.relay.responses else None
    if first and first.status == 304 and result.text == "restarted":
        result.deviation = OUTLIVED_TAG.replace("restarts", "does not believe the 304") if before[0] == after[0] else ""
    return result


def empty(visit, name):
    visit.clean()
    for arguments in ((), ("--resume",)):
        done = visit.run("-o", "f", visit.url("empty.bin"), *arguments)
        if done.status or visit.file() != b"":
            return fault(message(done) + f", {visit.file()!r}")
    return Result("empty")


def segments(visit, name):
    visit.clean()
    done = visit.run("-o", "f", visit.url(name), "--segments", "4")
    result = judge(visit, name, done, OLD, OLD)
    if result.is_fault or not visit.is_readable:
        return result if result.is_fault else Result("complete")
    ranges = len({r.get("range") for r in visit.relay.requests if r.get("range")})
    if ranges:
        return Result(f"{ranges + 1} ranges")
    reason = why_not_resumed(visit, name) or ("" if visit.ask(name).get("content-length") else NO_LENGTH)
    if not reason and visit.ask(name).get("accept-ranges") != "bytes":
        reason = "It sends no `Accept-Ranges: bytes`, which `--segments` requires; `--resume` needs no such field."
    return Result("sequential", limit=reason, is_fault=not reason)


def large(visit, name):
    """5 GiB, most of it a hole: offsets beyond 32 bits, and a kill beyond 4 GiB."""
    if harness.is_short or not visit.server.large:
        return None
    with harness.lock("large"):
        if shutil.disk_usage(visit.site.folder).free < 12 << 30:
            return None
        visit.clean()
        path, size = visit.site.root / "large.bin", 5 << 30
        try:
            with open(path, "wb") as file:
                for offset in (0, 2 << 30, (4 << 30) - 5, (4 << 30) + (1 << 29), size - len(OLD)):
                    file.seek(offset)
                    file.write(OLD)
            # Apache's ETag of a file that is younger than a second is weak.
            os.utime(path, (OLD_TIME, OLD_TIME))
            url = f"http://127.0.0.1:{visit.port}{visit.target('large.bin')}"
            killed = visit.tool.kill("-o", "f", url, cwd=visit.folder, at=(4 << 30) + (200 << 20), timeout=240)
            done = visit.run("-o", "f", url, "--resume", timeout=300)
            if done.status or subprocess.run(["cmp", "-s", path, visit.folder / "f"]).returncode:
                return fault(f"{message(done)}, {os.path.getsize(visit.folder / 'f')} bytes")
            if killed and done.code != 206:
                return fault(f"{done.code} after a kill beyond 4 GiB: {done.err[-300:]}")
            return Result("resumed" if killed else "complete")
        finally:
            path.unlink(missing_ok=True)
            visit.clean()


def both(*parts):
    """One cell for several situations that are also columns, asked in another way."""
    def situation(visit, name):
        results = [part(visit, f"{number}-{name}") for number, part in enumerate(parts)]
        return Result(", ".join(r.text for r in results),
                      deviation=next((r.deviation for r in results if r.deviation), ""),
                      limit=next((r.limit for r in results if r.limit), ""), is_fault=any(r.is_fault for r in results))
    return situation


GZIP = {"rate": "1500k"}
resume_and_change = both(resume(), change(NEW, NEW_TIME))


def over_http2(visit, name):
    """The most important situations over TLS."""
    certificate, _ = visit.site.certificate()
    port = visit.site.tls_port
    if not port:
        return None
    other = Visit(visit.tool, visit.server, visit.site, port, options=("--http2", "--cacert", str(certificate)),
                  is_readable=False)
    other.base = f"https://127.0.0.1:{other.relay.port}"
    # Without TLS, the same server: validators are asked for there.
    other.port = visit.port
    try:
        done = other.run("-o", "f", other.url("0-" + name))
        if done.status or other.file() != OLD or done.http_version != "2":
            return fault(f"HTTP/{done.http_version}, {message(done)}")
        result = both(resume(), change(NEW, NEW_TIME), segments, resume("--segments", "4"))(other, name)
        return result
    finally:
        other.end()


def behind(front):
    """Two situations through another server."""
    def situation(visit, name):
        if front not in visit.server.fronts:
            return None
        start, options, caches, is_proxy = file_servers.fronts[front]
        port, site, other = free_port(), Site(front), None
        try:
            start(site, port, visit.port)
            base = f"http://127.0.0.1:{visit.port}" if is_proxy else None
            other = Visit(visit.tool, visit.server, visit.site, port, base=base, options=options, caches=caches)
            # Validators are asked for behind the front server: what it does is seen by the result.
            other.port = visit.port
            return resume_and_change(other, name)
        except harness.Unavailable as reason:
            return Result("not available", limit=str(reason))
        finally:
            if other:
                other.end()
            site.end()
    return situation


table = {
    "download": download,
    "killed": resume(),
    "changed: other size": change(NEW + OLD[:MIB], NEW_TIME),
    "changed: same size": change(NEW, NEW_TIME),
    "changed: same size and second": change(NEW, OLD_TIME),
    "same size and second, equal middle": change(ENDS_CHANGED, OLD_TIME),
    "the same with `--checksum`": change_with_checksum,
    "truncated": change(OLD[:MIB], NEW_TIME, in_place=True),
    "appended": change(OLD + NEW[:MIB], NEW_TIME, in_place=True),
    "complete": complete,
    "complete, then changed": complete_changed,
    "empty": empty,
    "`--segments 4`": segments,
    "segments, killed": resume("--segments", "4"),
    "segments, changed: same size and second": change(NEW, OLD_TIME, "--segments", "4"),
    "`Accept-Encoding:gzip`": gzip,
    "gzip, killed": resume("Accept-Encoding:gzip", content=TEXT, **GZIP),
    "gzip, changed": change(NEW_TEXT, NEW_TIME, "Accept-Encoding:gzip", old=TEXT, **GZIP),
    "HEAD": head,
    "304": not_modified,
    "416": unsatisfiable,
    "directory": directory,
    "`--checksum`": checksum,
    "HTTP/2: killed, changed, segments, killed": over_http2,
    "behind nginx: killed, changed": behind("nginx"),
    "behind HAProxy": behind("HAProxy"),
    "behind Varnish": behind("Varnish"),
    "through Squid": behind("Squid"),
    "5 GiB": large,
}
situations = tuple(table)
# These situations change their file, or ask for it in several ways: each has files of its own.
SHARED = (download, complete, segments, head, not_modified, unsatisfiable, checksum)
OWN = [name for name in situations if table[name] not in SHARED]


def file_name(situation):
    if situation not in OWN:
        return "file.bin"
    number = f"{situations.index(situation):02}"
    return f"own-{number}.txt" if situation.startswith("gzip") else f"own-{number}.bin"


def fill(server, site):
    """All files, before the start: some servers look for them only then."""
    (site.root / "dir").mkdir()
    site.write("root/dir/index.html", INDEX)
    server.prepare(site)
    server.place(site, "file.bin", OLD, OLD_TIME)
    server.place(site, "text.txt", TEXT, OLD_TIME)
    server.place(site, "empty.bin", b"", OLD_TIME)
    for situation in OWN:
        if situation in server.missing:
            continue
        name = file_name(situation)
        parts = 4 if table[situation] is over_http2 else 2 if situation.startswith(("behind", "through")) else 0
        for file in [f"{number}-{name}" for number in range(parts)] or [name]:
            server.place(site, file, TEXT if name.endswith(".txt") else OLD, OLD_TIME)


def examine(name, server, tool):
    version = server.install()
    site, visit = Site(name), None
    try:
        if not server.is_filled_late:
            fill(server, site)
        port, site.tls_port = free_port(), free_port() if server.has_tls else None
        server.start(site, port)
        if server.is_filled_late:
            try:
                fill(server, site)
            except OSError as error:
                raise harness.Unavailable(f"no file can be stored: {error}") from error
        base = f"http://127.0.0.1:{site.origin_port}" if server.is_proxy else None
        visit = Visit(tool, server, site, port, base=base)
        results = {}
        for situation, function in table.items():
            if situation in server.missing:
                continue
            try:
                result = function(visit, file_name(situation))
            # One situation that cannot be judged must not end a run of many minutes.
            except Exception as error:
                is_known = isinstance(error, harness.Fault)
                result = fault(str(error) if is_known else f"{type(error).__name__}: {error}")
            if result and situation in server.notes:
                text, deviation, limit = server.notes[situation]
                # A note explains one result. Another one is judged as usual.
                if result.text.startswith(text):
                    result = Result(text, deviation=deviation, limit=limit)
            if result:
                results[situation] = result
        return Row(name, version, results)
    finally:
        if visit:
            visit.end()
        site.end()


servers = {name: functools.partial(examine, name, server)
           for name, server in (file_servers.servers | file_python.servers).items()}
