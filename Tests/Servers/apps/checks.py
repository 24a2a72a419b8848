"""The situations of applications.py: each is a function of a running server, a Case."""

import dataclasses
import hashlib
import json
import random
import re
import socket
import zlib

from apps.relay import frames
from harness import Fault, Result

NAMES = ('a"b.txt', "a\\b.txt", "äé漢.txt", "100%41;b.txt")
TEXT = b"".join(b"line %d of a text that can be compressed\n" % index for index in range(2000))
BIG = random.Random(46).randbytes(2_000_000)
CONTENT = b"the content of a file\n"
# The body of /chunks and /gzip.
PARTS = b"".join(bytes([65 + index]) * 10_000 for index in range(20))


# Requests with a body.

NOT_READ = ("The server does not read bodies in chunks, as RFC 9112 §7.1 requires: the application sees an empty body."
            " afcli warns if the response came before the end of the body.")
REFUSED = "The server refuses bodies in chunks, which RFC 9112 §7.1 requires it to read. afcli shows the status."
UNKNOWN = ("If all was sent, the response does not show that the server has not read it. A body from a"
           " file, or without --chunked, has a length, which these servers read.")


def seen(case, done, body, method="POST"):
    """Compares the wire and the application's view with the bytes that were to be sent."""
    connection = case.wire()
    wire = connection.request()
    warned = claim(done.err, "200") is not None
    if done.status == 0 and wire.is_complete == warned:
        raise Fault(f"complete on the wire: {wire.is_complete}, but the message is {done.err.strip()!r}")
    if wire.is_complete and wire.body != body:
        raise Fault(f"{len(wire.body)} bytes on the wire instead of {len(body)}")
    if done.status != 0:
        code = connection.response().line.split(" ")[1:2]
        if wire.is_chunked and code and f" {code[0]}" in done.err:
            # RFC 9112 §6.3: a server may require a length by 411.
            return Result(code[0], deviation="" if code[0] == "411" else REFUSED)
        raise Fault(str(done))
    view = json.loads(done.out)
    if view["method"] != method or wire.line.split(" ")[0] != method:
        raise Fault(f"method {view['method']}")
    if view["sha256"] == hashlib.sha256(body).hexdigest() and wire.is_complete:
        return Result("seen")
    if wire.is_chunked and view["length"] == 0:
        return Result("not read", NOT_READ, UNKNOWN)
    raise Fault(f"the application saw {view['length']} of {len(body)} bytes")


def json_items(case):
    return seen(case, case.ask("post", case.base + "/echo", "a=ü", "b:=1"), '{"a": "ü", "b": 1}'.encode())


def put(case):
    return seen(case, case.ask("put", case.base + "/echo", "@text"), TEXT, "PUT")


def get_with_body(case):
    try:
        return seen(case, case.ask("get", case.base + "/echo", "--raw", '{"q": 1}'), b'{"q": 1}', "GET")
    except Fault as fault:
        if case.wire().request().body != b'{"q": 1}' or "saw 0 of" not in str(fault):
            raise
        # RFC 9110 §9.3.1: content of a GET has no defined semantics.
        return Result("not read", limit="The server ignores the body of a GET, as RFC 9110 §9.3.1 permits.")


def file(case):
    done = case.ask("post", case.base + "/echo", stdin="big")
    if "content-length" not in case.wire().request().fields:
        raise Fault("no Content-Length for a file as standard input")
    return seen(case, done, BIG)


def pipe(case):
    return seen(case, case.ask("post", case.base + "/echo", pipe=BIG, holds=True), BIG)


def chunked(case):
    done = case.ask("post", case.base + "/echo", "a=1", "--chunked")
    if not case.wire().request().is_chunked:
        raise Fault("not sent in chunks")
    return seen(case, done, b'{"a": "1"}')


def compressed(case):
    done = case.ask("post", case.base + "/echo", "@text", "-x")
    wire = case.wire().request()
    if done.status or wire.fields.get("content-encoding") != "deflate" or zlib.decompress(wire.body) != TEXT:
        raise Fault(f"not compressed on the wire; {done}")
    if json.loads(done.out)["sha256"] == hashlib.sha256(TEXT).hexdigest():
        return Result("decoded")
    return seen(case, done, wire.body)


LATE = "The server responds to Expect only after it has started to read the body. afcli sends the body after a second."
IGNORED = ("The server ignores Expect; RFC 9110 §10.1.1 requires 100 or a final status. afcli sends the body after a"
           " second; `--expect100 no` avoids the wait.")


def expect(case):
    result = seen(case, case.ask("post", case.base + "/echo", "@big"), BIG)
    connection = case.wire()
    if connection.request().fields.get("expect") != "100-continue":
        raise Fault("no Expect field")
    if connection.is_continued():
        return Result("100")
    if b"HTTP/1.1 100 " in connection.sent("server"):
        return dataclasses.replace(result, text="late 100", deviation=LATE)
    return dataclasses.replace(result, text="no 100", deviation=IGNORED)


# Forms.

def form(case):
    done = case.ask("-f", "post", case.base + "/form", "a=ü&=+", "b=two words")
    if done.status or sorted(json.loads(done.out)["fields"]) != [["a", "ü&=+"], ["b", "two words"]]:
        raise Fault(str(done))
    return Result("seen")


def name_test(name):
    def test(case):
        done = case.ask("-f", "post", case.base + "/form", "a=1", f"upload@{name}")
        spelling = f'filename="{name.replace(chr(34), "%22")}"'.encode()
        if done.status or spelling not in case.wire().request().body:
            raise Fault(f"{spelling.decode()} was not sent; {done}")
        view = json.loads(done.out)
        digest = hashlib.sha256(CONTENT).hexdigest()
        if view["fields"] != [["a", "1"]] or [(f[0], f[2]) for f in view["files"]] != [("upload", digest)]:
            return Result("lost", limit="The framework does not read a file with this name, which browsers send alike.")
        received = view["files"][0][1]
        return Result("exact") if received == name else Result(f"`{received}`", limit=name_limit(name))
    return test


def name_limit(name):
    if '"' in name:
        return "The framework does not decode `%22`, which browsers (WHATWG) and afcli send for a quote."
    if "\\" in name:
        return ("The framework reads a backslash as an escape or as the end of a directory. Browsers and afcli send it"
                " as it is; `;filename=` of -F sends another name.")
    return "The framework changes the name, which browsers (WHATWG) and afcli send as it is."


# Early responses.

CLAIM = re.compile(r"responded with (\d+)[^\n]*? before it had the body: (?:only )?([\d.]+) (B|kB|MB)")
UNITS = {"B": 1, "kB": 1000, "MB": 1_000_000}


EARLY = ("413", "401", "200")
BODIES = (("file", {}, ("@big",)), ("file, no Expect", {}, ("@big", "--expect100", "no")),
          ("pipe", {"pipe": BIG}, ()))


def claim(text, status):
    """The number of bytes that a message says were sent, with its precision; `None` without that message."""
    match = CLAIM.search(text)
    if not match or match[1] != status:
        return None
    unit = UNITS[match[3]]
    return float(match[2]) * unit, unit * 0.0501 if unit > 1 else 0


def early_test(status):
    def test(case):
        is_lost = is_cut = False
        for name, source, arguments in BODIES:
            # Which of response, reset and failing write comes first is a race: ten attempts.
            repeated = 10 if source else 1
            for base, holds in ((case.direct, False),) * repeated + ((case.base, True),):
                done = case.ask("post", f"{base}/{status}", *arguments, holds=holds, **source)
                where = f"{name}, {'relay' if holds else 'direct'}"
                # Only the direct connection is reset. A lost response is never reported as a success.
                if not holds and done.status == 13 and "closed the connection without a response" in done.err:
                    is_lost = True
                    continue
                if not holds and done.status == 13 and f"the {status} response of" in done.err:
                    is_cut = True
                    continue
                shown(done, status, where)
                if holds:
                    connection = case.wire()
                    wire, claimed = connection.request(), claim(done.err, status)
                    # After a reset the relay has seen a part of what was sent.
                    if not connection.is_reset:
                        agree(claimed, len(wire.rest), wire.is_complete, where, done)
                    elif claimed and claimed[0] + claimed[1] < len(wire.rest):
                        raise Fault(f"{where}: {len(wire.rest)} bytes on the wire, but {done.err.strip()!r}")
        return Result("lost once" if is_lost else "named" if is_cut else "shown",
                      limit=LOST if is_lost else CUT if is_cut else "")
    return test


LOST = ("The server closes the connection without reading the body. If the reset arrives first, libcurl fails while"
        " sending and does not read the response. afcli ends with 13.")


CUT = ("The server closes the connection without reading the body. The reset overtakes the body of the response: afcli"
       " names the status, and ends with 13.")


# Types of frames.
DATA, RESET = 0, 3
DROPPED = ("libcurl 7.88 drops a response if the stream is reset before the end of the body, although RFC 9113 §8.1"
           " forbids it for NO_ERROR. afcli reports this and ends with 13; its hint is --http1.1.")
RESET_ERROR = "The server resets the stream with an error after an early response; RFC 9113 §8.1 defines NO_ERROR."
ENDED = ("After an early error libcurl 7.88 ends the stream with END_STREAM, as if the body was complete. afcli's"
         " message has the number of bytes that were sent.")


def early_http2(case):
    limits, deviation, is_asked = {}, "", False
    for status in EARLY:
        for name, source, arguments in BODIES:
            where = f"{status}, {name}, HTTP/2"
            for base, options in ((case.secure, case.trust), (case.base, ("--http2-prior-knowledge",))):
                if not base or base == case.base and not case.server.has_prior_knowledge:
                    continue
                done, is_asked = case.ask("post", f"{base}/{status}", *options, *arguments, **source), True
                if is_dropped := done.status == 13 and "libcurl dropped the response" in done.err:
                    limits[DROPPED] = None
                else:
                    shown(done, status, where)
                if base != case.base:
                    continue
                if any(any(payload) for kind, _, payload in frames(case.wire().sent("server")) if kind == RESET):
                    deviation = RESET_ERROR
                sent = [frame for frame in frames(case.wire().sent("client")) if frame[0] == DATA]
                count = sum(len(payload) for _, _, payload in sent)
                if count < len(BIG) and any(flags & 1 for _, flags, _ in sent):
                    limits[ENDED] = None
                if not is_dropped:
                    agree(claim(done.err, status), count, count == len(BIG), where, done)
    if is_asked:
        return Result("dropped" if DROPPED in limits else "shown", deviation, " ".join(limits))
    return None


def shown(done, status, where):
    """The application's response is written, and the exit status is that of its status code."""
    if done.status != (0 if status == "200" else 4) or done.out != b'{"early": true}':
        raise Fault(f"{where}: {done}; standard output: {done.out[:80]!r}")
    if status != "200" and f"responded with {status}" not in done.err:
        raise Fault(f"{where}: no message names {status}: {done}")


def agree(claimed, count, is_complete, where, done):
    """The message about the unsent part agrees with the wire."""
    if (claimed is None) != is_complete:
        raise Fault(f"{where}: {count} bytes on the wire, complete: {is_complete}, but {done.err.strip()!r}")
    if claimed and abs(claimed[0] - count) > claimed[1]:
        raise Fault(f"{where}: {count} bytes on the wire, but {done.err.strip()!r}")


# Responses.

def chunks(case):
    done = case.ask(case.base + "/chunks")
    if done.status or done.out != PARTS:
        raise Fault(str(done))
    fields = case.wire().response().fields
    return Result("chunks" if "chunked" in fields.get("transfer-encoding", "") else
                  "length" if "content-length" in fields else "until the end")


def head(case):
    done = case.ask("head", case.base + "/echo", "-h")
    if done.status or not done.out.startswith(b"HTTP/1."):
        raise Fault(str(done))
    # afcli may close the connection before such a body arrives.
    with socket.create_connection(case.address, 10) as probe:
        probe.sendall(b"HEAD /echo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        response = b""
        while data := probe.recv(65536):
            response += data
    if response.partition(b"\r\n\r\n")[2]:
        return Result("shown", deviation="The server sends the body that the application returns for a HEAD, which RFC"
                      " 9110 §9.3.2 forbids. afcli does not show it.")
    return Result("shown")


def empty(case):
    done = case.ask(case.base + "/empty", "--expect-status", "204")
    if done.status or done.out:
        raise Fault(str(done))
    response = case.wire().response()
    if unwanted := [name for name in ("content-length", "transfer-encoding") if name in response.fields]:
        return Result("empty", deviation=f"The server sends {unwanted[0].title()} with 204, which RFC 9110 §8.6 and"
                      " RFC 9112 §6.1 forbid. afcli ignores it.")
    return Result("empty")


def decompressed(case):
    done = case.ask(case.base + "/gzip")
    if done.status or done.out != PARTS or case.wire().response().fields.get("content-encoding") != "gzip":
        raise Fault(str(done))
    return Result("decoded")


HEAD_DATA = ("The server sends the body of the response to a HEAD, which RFC 9110 §9.3.2 forbids, over HTTP/2 as well."
             " nghttp2 then resets the stream, mostly before afcli has the response: malformed response, 13.")


def http2(case):
    if not case.secure:
        return None
    url = case.secure + "/echo"
    for body, arguments, source in ((b'{"a": "1"}', ("a=1",), {}), (BIG, (), {"stdin": "big"}),
                                    (BIG, (), {"pipe": BIG}), (BIG, ("@big", "--expect100", "yes"), {})):
        done = case.ask("post", url, *arguments, *case.trust, "-w", "%{stderr}version=%{http_version}", **source)
        if done.status or json.loads(done.out)["sha256"] != hashlib.sha256(body).hexdigest():
            raise Fault(str(done))
        if "version=2" not in done.err:
            raise Fault(f"not HTTP/2: {done.err}")
    for path in ("/chunks", "/gzip"):
        if (done := case.ask(case.secure + path, *case.trust)).out != PARTS or done.status:
            raise Fault(f"{path}: {done}")
    if (done := case.ask(case.secure + "/empty", "--expect-status", "204", *case.trust)).status or done.out:
        raise Fault(f"204: {done}")
    done = case.ask("head", url, "-h", *case.trust)
    if done.status and not (done.status == 13 and "breaks the HTTP/2 protocol" in done.err):
        raise Fault(f"HEAD: {done}")
    if case.server.has_prior_knowledge:
        case.ask("head", case.base + "/echo", "-h", "--http2-prior-knowledge")
        if any(kind == DATA and payload for kind, _, payload in frames(case.wire().sent("server"))):
            return Result("seen; HEAD: 13", deviation=HEAD_DATA)
    if done.status:
        raise Fault(f"HEAD: {done}")
    return Result("seen")


TESTS = {"JSON": json_items, "Form": form,
         **dict(zip(("Name `a\"b.txt`", "Name `a\\b.txt`", "Name `äé漢.txt`", "Name `100%41;b.txt`"),
                    map(name_test, NAMES))),
         "PUT": put, "GET with a body": get_with_body, "File": file, "Pipe": pipe, "`--chunked`": chunked,
         "`-x`": compressed, "Expect": expect, **{f"Early {status}": early_test(status) for status in EARLY},
         "Response of unknown length": chunks, "Compressed response": decompressed,
         "HEAD": head, "204": empty, "HTTP/2": http2, "HTTP/2, early": early_http2}
