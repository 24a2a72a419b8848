"""Situations of one response: nothing is killed, and nothing changes."""

import hashlib
import os

from file_judge import fault, judge, message
from file_visit import NEW, OLD, SIZE, TEXT
from harness import Result

INDEX = b"<!DOCTYPE html><title>index</title>\n"


def gzip(visit, name):
    visit.clean()
    done = visit.run("-o", "f", visit.url("text.txt"), "Accept-Encoding:gzip")
    if done.status or visit.file() != TEXT:
        return fault(f"{message(done)}, {len(visit.file() or b'')} bytes")
    coding = visit.relay.responses[0].get("content-encoding")
    return Result("decompressed" if coding == "gzip" else "not compressed")


def head(visit, name):
    visit.clean()
    done = visit.run("head", visit.url(name), "-p", "h", "Accept-Encoding:identity")
    status = visit.ask(name, "HEAD").status
    if visit.relay.request().first.split(" ")[0] != "HEAD":
        return fault("another method")
    if status >= 400:
        return Result(str(status), deviation="HEAD is not supported (RFC 9110, 9.1 requires it). afcli shows the "
                                             "status.")
    if done.status or done.code != status:
        return fault(message(done))
    length = [line for line in done.out.decode("latin-1").lower().splitlines() if line.startswith("content-length:")]
    if not length:
        return Result("no length", limit="The response to HEAD has no Content-Length (RFC 9110, 8.6 allows that).")
    if length[0].split()[-1] == str(SIZE):
        return Result("length")
    return Result(length[0], deviation="The Content-Length of HEAD is not that of GET (RFC 9110, 8.6). afcli shows it, "
                                       "and expects no body.")


def not_modified(visit, name):
    """Conditional requests with the validators of the first response."""
    visit.clean()
    etag, date = visit.validators(name)
    texts, ignored = [], []
    for field, value, what in (("If-None-Match", etag, "ETag"), ("If-Modified-Since", date, "date")):
        if value:
            done = visit.run("-o", "f", visit.url(name), f"{field}:{value}")
            data = visit.file()
            if done.status or done.code not in (200, 304) or done.code == 304 and data is not None:
                return fault(f"{field}: {done.code}, {message(done)}")
            if done.code == 200:
                ignored.append(f"`{field}`")
                if data != OLD:
                    return fault("200 with another file")
                os.remove(visit.folder / "f")
            texts.append(f"{done.code} ({what})")
    deviation = f"It ignores {' and '.join(ignored)} (RFC 9110, 13.2.1). afcli saves the complete response."
    return Result(", ".join(texts) or "no validator", deviation=deviation if ignored else "")


def unsatisfiable(visit, name):
    """A typed range beyond the end."""
    visit.clean()
    done = visit.run("-o", "f", "--range", "99999999-", visit.url(name))
    data = visit.file()
    if done.code == 200 and done.status == 0 and data == OLD and "warning" in done.err:
        return Result("200", limit="The range is ignored (RFC 9110, 14.2 allows that). afcli warns, and saves the "
                                   "complete file.")
    if done.status == 0 and done.code < 400 or data is not None:
        return fault(f"{done.code}, {message(done)}")
    deviation = f"A range beyond the end gets {done.code} instead of 416 (RFC 9110, 14.2). afcli saves nothing."
    return Result(str(done.code), deviation="" if done.code == 416 else deviation)


def directory(visit, name):
    """The URL of a directory without its slash: a redirect, and an index page or a list."""
    visit.clean()
    done = visit.run("-L", "-d", visit.url("dir"))
    saved = list(visit.folder.iterdir())
    if done.code >= 400:
        is_right = done.status and not saved
        return Result(str(done.code)) if is_right else fault(f"{done.code}, status {done.status}, {saved}")
    if done.status or len(saved) != 1:
        return fault(f"{message(done)}, {len(saved)} files")
    data = saved[0].read_bytes()
    kind = "index page" if data == INDEX else "list" if b"index.html" in data else ""
    if not kind:
        return fault(f"{saved[0].name}: {data[:100]!r}")
    code = visit.relay.responses[0].status if done.redirects else 200
    return Result(f"{code}, {kind}" if done.redirects else kind)


def checksum(visit, name):
    visit.clean()
    right, wrong = hashlib.sha256(OLD).hexdigest(), hashlib.sha256(NEW).hexdigest()
    done = visit.run("-o", "f", visit.url(name), "--checksum", f"sha256:{wrong}")
    if done.status == 0 or any(visit.folder.iterdir()):
        return fault(f"wrong sum: status {done.status}, {os.listdir(visit.folder)}")
    done = visit.run("-o", "f", visit.url(name), "--checksum", f"sha256:{right}")
    result = judge(visit, name, done, OLD, OLD)
    return result if result.is_fault else Result("verified")
