"""The cases of each protocol."""

import math

from cases import (COMMON, Case, answers, appends, changes_within, cuts_request, cuts_response, edits, elsewhere,
                   methods, more, offsets, tells_login)
from proxy import ALWAYS, Fault, response

SEGMENTS = {"segments": 4}

HEAD, PATCH = methods("HEAD"), methods("PATCH")
CREATE = methods("PUT", "POST")


def interim(**change):
    """Another Location of the response 104, and a connection that breaks behind a third of the file."""
    def edit(fields):
        kept = [(name, value) for name, value in fields if name.lower() != "location"]
        return kept + [("Location", value) for value in change.values()]

    return lambda trial: (Fault(CREATE, edit_interim=edit, cut_request=trial.size // 3),)


def moved_104(trial):
    """The upload is at another origin, which exists."""
    def edit(fields):
        moved = elsewhere(trial.peer.proxy.port)
        return [(name, moved(value) if name.lower() == "location" else value) for name, value in fields]

    return (Fault(CREATE, edit_interim=edit, cut_request=trial.size // 3),)


def unaware(trial):
    """The server takes a plain upload."""
    def edit(status, fields):
        return status, [(name, value) for name, value in fields
                        if not name.lower().startswith("upload-") and name.lower() != "location"]

    return (Fault(CREATE, drops_interim=True, edit=edit, times=ALWAYS),)


def killed_unaware(trial):
    return [trial.run(*unaware(trial), at=trial.size // 2), trial.run(*unaware(trial))]


def lost_104(trial):
    return (Fault(CREATE, drops_interim=True, cut_request=trial.size // 3),)


DRAFT = COMMON + [
    Case("start: 104 is lost, and so is the connection", lost_104, is_interrupted=False),
    Case("start: 104 is lost", lambda trial: (Fault(CREATE, drops_interim=True),), is_interrupted=False,
         must_succeed=True),
    Case("start: the server does not know the protocol", unaware, is_interrupted=False, must_succeed=True),
    Case("start: the server does not know the protocol, and a kill", is_interrupted=False, run=killed_unaware,
         must_succeed=True),
    Case("start: 104 is lost, and so is the connection, with --retry", lost_104, is_interrupted=False, retry=2),
    Case("start: 104 without a location", interim(), is_interrupted=False),
    Case("start: 104 with a location of another origin", interim(url="http://127.0.0.2:9/upload"),
         is_interrupted=False),
    Case("start: 104 with a location of another origin, with a password and --retry", moved_104, is_interrupted=False,
         retry=2, wishes={"login": "ada:password"}, check=tells_login),
    Case("start: 104 with a location that is no URL", interim(url="http://[/"), is_interrupted=False),
    Case("start: the connection breaks, with --retry", cuts_request(CREATE, 0.3), is_interrupted=False, retry=2,
         must_succeed=True),
    Case("start: the response is lost", cuts_response(CREATE), is_interrupted=False),
    Case("start: half a head", cuts_response(CREATE, 20), is_interrupted=False),
    Case("start: the response says that the upload is incomplete",
         edits(CREATE, Upload_Incomplete=None, Upload_Complete="?0"), is_interrupted=False),
    Case("start: the response confirms a part", edits(CREATE, Upload_Offset=more(-5000)), is_interrupted=False),
    Case("start: 201 before the body, which confirms nothing",
         answers(CREATE, 201, ("Upload-Draft-Interop-Version", "6"), ("Upload-Complete", "?0"), ("Upload-Offset", "0"),
                 early=True), is_interrupted=False),
    Case("start: 413, early", answers(CREATE, 413, early=True), is_interrupted=False),
    Case("start: 503 once, with --retry", answers(CREATE, 503), is_interrupted=False, retry=2),
    Case("offset: a part, said to be the complete upload", edits(HEAD, Upload_Complete="?1")),
    # With tus, this would be the confirmation of all bytes.
    Case("offset: the complete file, said to be incomplete",
         lambda trial: edits(HEAD, Upload_Offset=trial.size)(trial)),
    Case("rest: 409 with the offset", lambda trial: answers(
        PATCH, 409, ("Upload-Draft-Interop-Version", "6"), ("Upload-Complete", "?0"), ("Upload-Offset", "7"))(trial)),
    Case("rest: 201 that says incomplete", edits(PATCH, 201, Upload_Incomplete=None, Upload_Complete="?0")),
    *offsets(HEAD), *appends(PATCH),
]

def concatenates(request):
    return request.headers.get("upload-concat", "").startswith("final")


TUS = COMMON + [
    Case("start: 201 without a location", edits(methods("POST"), Location=None), is_interrupted=False),
    Case("start: a location of another origin", edits(methods("POST"), Location="http://127.0.0.2:9/files/1"),
         is_interrupted=False),
    Case("start: a location of another origin, with a password",
         lambda trial: edits(methods("POST"), Location=elsewhere(trial.peer.proxy.port))(trial), is_interrupted=False,
         wishes={"login": "ada:password"}, check=tells_login),
    Case("start: a location that is no URL", edits(methods("POST"), Location="http://[/"), is_interrupted=False),
    Case("start: the response is lost", cuts_response(methods("POST")), is_interrupted=False),
    Case("start: 500", answers(methods("POST"), 500), is_interrupted=False),
    Case("start: 503 once, with --retry", answers(methods("POST"), 503), is_interrupted=False, retry=2),
    Case("start: 413", answers(methods("POST"), 413, ("Tus-Resumable", "1.0.0"), ("Tus-Max-Size", "1000")),
         is_interrupted=False),
    Case("start: 412, another version", answers(methods("POST"), 412, ("Tus-Version", "0.2.2")), is_interrupted=False),
    Case("offset: another length of the file", edits(HEAD, Upload_Length="1000")),
    Case("offset: 412, another version", answers(HEAD, 412, ("Tus-Version", "0.2.2"))),
    Case("rest: 460, checksum mismatch, once, with --retry", answers(PATCH, 460), retry=2),
    Case("rest: 204 without an offset", edits(PATCH, Upload_Offset=None)),
    Case("rest: 200 instead of 204", edits(PATCH, 200, Content_Length="0")),
    # Concatenation, where the server has it; only afcli uploads in segments.
    Case("four segments", is_interrupted=False, wishes=SEGMENTS, must_succeed=True),
    Case("four segments, and a kill", wishes=SEGMENTS, must_succeed=True),
    Case("four segments, of which one is expired", answers(HEAD, 410), wishes=SEGMENTS, must_succeed=True),
    Case("four segments, and the connection breaks", cuts_request(PATCH, 0.1), wishes=SEGMENTS),
    # All four may be those of the main request, if the others are slow.
    Case("four segments, and all connections break, with --retry", cuts_request(PATCH, 0.01, 4), is_interrupted=False,
         wishes=SEGMENTS, retry=4, must_succeed=True),
    Case("four segments: the first one is refused", answers(methods("POST"), 503), is_interrupted=False,
         wishes=SEGMENTS, retry=2, must_succeed=True),
    Case("four segments: the response to the last request is lost", cuts_response(concatenates),
         is_interrupted=False, wishes=SEGMENTS),
    Case("four segments: the concatenation is refused", answers(concatenates, 500), is_interrupted=False,
         wishes=SEGMENTS),
    Case("four segments: the concatenation has another length", edits(HEAD, Upload_Length="1000", times=ALWAYS),
         is_interrupted=False, wishes=SEGMENTS),
    Case("four segments: 423 for one", answers(PATCH, 423), is_interrupted=False, wishes=SEGMENTS,
         must_succeed=True),
    Case("four segments, and the file changes", is_interrupted=False, wishes=SEGMENTS,
         run=lambda trial: changes_within(trial, **SEGMENTS)),
    *offsets(HEAD), *appends(PATCH),
]


# S3


def has(method, *parts):
    """Requests with this method, and all of these names in the query."""
    def when(request):
        query = request.target.partition("?")[2]
        return request.method == method and all(part in query for part in parts)

    return when


def error(code):
    """The error document of S3."""
    return f"<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>no</Message></Error>".encode()


def refuses(when, status, code, times=1.0):
    return answers(when, status, ("Content-Type", "application/xml"), body=error(code), times=times)


def rewrites(when, old, new, times=1.0):
    """The server's document, with another text."""
    return lambda trial: (Fault(when, times=times, edit_body=lambda body: body.replace(old, new)),)


START, PART, COMPLETE = has("POST", "uploads"), has("PUT", "partNumber"), has("POST", "uploadId")
LIST = has("GET", "uploadId")
ETAG = '"00000000000000000000000000000000"'


def cuts_part(trial):
    """The connection breaks in the middle of the second part."""
    return (Fault(PART, skip=1, cut_request=2 << 20),)


def sends_twice(requests):
    """No part is sent again that the server had when it listed the parts, or else at all."""
    stored, listed = {}, 0
    for request in requests:
        query = request.target.partition("?")[2]
        if LIST(request):
            listed = request.number
        elif PART(request):
            if stored.get(query, math.inf) <= (listed or request.number):
                return "SENDS A PART TWICE"
            if request.status == 200:
                stored[query] = request.ended
    return ""


S3 = COMMON + [
    Case("start: no upload id", rewrites(START, b"UploadId", b"Other"), is_interrupted=False),
    Case("start: no XML", lambda trial: (Fault(START, edit_body=lambda body: b"<a"),), is_interrupted=False),
    Case("start: 403", refuses(START, 403, "AccessDenied"), is_interrupted=False),
    Case("start: 500 once, with --retry", refuses(START, 500, "InternalError"), is_interrupted=False, retry=2),
    Case("start: the response is lost", cuts_response(START), is_interrupted=False),
    Case("part: the connection breaks in it", cuts_part, is_interrupted=False),
    Case("part: the connection breaks in it, with --retry", cuts_part, is_interrupted=False, retry=2,
         must_succeed=True),
    # moto looks at no checksum, but the ETag is the MD5 of what arrived.
    Case("part: a byte changes on the way", lambda trial: (Fault(PART, flip=100_000),)),
    Case("part: the response is lost", cuts_response(PART)),
    Case("part: the response is lost once, with --retry", cuts_response(PART), retry=2, must_succeed=True),
    Case("part: 503 SlowDown once, with --retry", refuses(PART, 503, "SlowDown"), retry=2, must_succeed=True),
    Case("part: 500", refuses(PART, 500, "InternalError", ALWAYS)),
    Case("part: 400 BadDigest", refuses(PART, 400, "BadDigest")),
    Case("part: 404 NoSuchUpload", refuses(PART, 404, "NoSuchUpload")),
    Case("part: no ETag", edits(PART, ETag=None)),
    Case("part: another ETag", edits(PART, ETag=ETAG)),
    Case("list: 404 NoSuchUpload", refuses(LIST, 404, "NoSuchUpload"), must_succeed=True),
    Case("list: 500", refuses(LIST, 500, "InternalError")),
    Case("list: no XML", lambda trial: (Fault(LIST, edit_body=lambda body: b"<a"),)),
    Case("list: no parts", rewrites(LIST, b"<Part>", b"<Other>")),
    Case("list: other sizes", rewrites(LIST, b"<Size>", b"<Size>1")),
    Case("list: the first part twice", rewrites(LIST, b"<PartNumber>2<", b"<PartNumber>1<")),
    Case("list: other ETags", rewrites(LIST, b"<ETag>", b"<ETag>0")),
    Case("list: a part beyond the file", rewrites(LIST, b"<PartNumber>1<", b"<PartNumber>9999<")),
    Case("end: 200 with an error", lambda trial: (
        Fault(COMPLETE, reply=response(200, (("Content-Type", "application/xml"),), error("InternalError"))),)),
    Case("end: 200 with an error once, with --retry", lambda trial: (
        Fault(COMPLETE, reply=response(200, (("Content-Type", "application/xml"),), error("InternalError"))),),
         retry=2),
    Case("end: the response is lost", cuts_response(COMPLETE)),
    Case("end: the response is lost once, with --retry", cuts_response(COMPLETE), retry=2),
    Case("end: 400 InvalidPart", refuses(COMPLETE, 400, "InvalidPart")),
    Case("end: 503 once, with --retry", refuses(COMPLETE, 503, "SlowDown"), retry=2, must_succeed=True),
    Case("end: another ETag", lambda trial: (Fault(
        COMPLETE, edit_body=lambda body: body.replace(b"ETag>", b"Other>")),)),
    Case("end: no XML", lambda trial: (Fault(COMPLETE, edit_body=lambda body: b""),)),
    # Several parts at once.
    Case("four segments", is_interrupted=False, wishes=SEGMENTS, must_succeed=True, check=sends_twice),
    Case("four segments, and a kill", wishes=SEGMENTS, must_succeed=True, check=sends_twice),
    Case("four segments, and the connection breaks", cuts_part, is_interrupted=False, wishes=SEGMENTS,
         must_succeed=True, check=sends_twice),
    Case("four segments, and all connections break, with --retry", cuts_request(PART, 0.01, 4), is_interrupted=False,
         wishes=SEGMENTS, retry=4, must_succeed=True, check=sends_twice),
    Case("four segments: 503 SlowDown for some", refuses(PART, 503, "SlowDown", 3), wishes=SEGMENTS, retry=3,
         must_succeed=True, check=sends_twice),
    Case("four segments: 404 NoSuchUpload", refuses(PART, 404, "NoSuchUpload"), is_interrupted=False,
         wishes=SEGMENTS, must_succeed=True),
    Case("four segments: another ETag", edits(PART, ETag=ETAG), is_interrupted=False, wishes=SEGMENTS,
         must_succeed=True),
    Case("four segments, and the file changes", is_interrupted=False, wishes=SEGMENTS,
         run=lambda trial: changes_within(trial, **SEGMENTS)),
]

CASES = {"draft": DRAFT, "tus": TUS, "s3": S3}
