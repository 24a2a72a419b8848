"""Compares files with both versions, and explains results by what the server sent."""

from harness import Result

IGNORES_IF_RANGE = (
    "It sends a part of the new version, although `If-Range` names the old one (RFC 9110, 13.1.5). afcli compares the "
    "validators of the response with those of the partial file, and restarts.")
OUTLIVED_TAG = (
    "The ETag of the old version remains, although the file and its date changed (RFC 9110, 8.8.1). afcli compares "
    "Last-Modified, too, and restarts.")
SAME_TAG = (
    "Both versions have the same strong ETag: most servers compute it from size and date (RFC 9110, 8.8.1: a strong "
    "validator changes with the content). afcli requests the last 64 KiB of the partial file again, compares them, and "
    "restarts.")
SAME_DATE = (
    "Both versions have the same validator, Last-Modified, whose resolution is a second (RFC 9110, 8.8.2.2). afcli "
    "requests the last 64 KiB of the partial file again, compares them, and restarts.")
BAD_DATE = (
    "Its dates end with `+0000` instead of `GMT`: that is no date of HTTP (RFC 9110, 5.6.7), and proves nothing. The "
    "file is downloaded again.")
NO_DATE = (
    "Its responses have no Date (RFC 9110, 6.6.1), so that Last-Modified is no strong validator (8.8.2.2). The file is "
    "downloaded again.")
UNNOTICED = (
    "Both versions have the same length and the same validators, and the compared bytes are equal: no client can "
    "notice the change. `--checksum` does (next column).")
NO_RANGES = "The server does not support ranges (RFC 9110, 14.2 allows that): the file is downloaded again."
NO_VALIDATOR = (
    "The server sends neither a strong ETag nor a date: nothing proves that both parts are of one version.")
WEAK_TAG = "The server's ETag is weak: it does not prove that both versions have the same bytes (RFC 9110, 8.8.1)."
NO_LENGTH = "The server sends no Content-Length: no ranges can be planned."


def message(done):
    lines = [line.strip() for line in done.err.splitlines() if "error" in line or "warning" in line]
    return f"status {done.status}: {'; '.join(lines)[:300]}"


def fault(text):
    return Result(text, is_fault=True)


def judge(visit, name, done, wanted, former=None):
    """Compares the file with both versions. The file must be one of them, or there is none and the run failed."""
    data = visit.file()
    requests = visit.relay.requests
    unproven = [r for r in requests if r.get("range") and not r.get("if-range")]
    if done.status != 0:
        return fault(("a wrong file, " if data not in (None, former, wanted) else "") + message(done))
    if data == wanted:
        if unproven and visit.is_readable and wanted != former:
            return fault("a range without If-Range was requested")
        if len(requests) > 12:
            return fault(f"{len(requests)} requests")
        # A file that has another length was not resumed: its validators differ.
        is_coded = visit.is_readable and any(r.get("content-encoding") for r in visit.relay.responses)
        is_part = done.code == 206 if is_coded else done.size < len(wanted) * 0.95
        return Result("resumed" if former == wanted and is_part else "restarted")
    if data == former:
        return Result("old version", limit=visit.caches) if visit.caches else fault("old version, status 0")
    if visit.caches and data == visit.ask(name, is_body_wanted=True):
        return Result("as sent", limit=visit.caches)
    return Result("mixed", is_fault=True)


def why_not_resumed(visit, name):
    """The reason why a download cannot be resumed; empty if it can."""
    head = visit.ask(name)
    partial = visit.ask(name, Range="bytes=1048576-1048577")
    if partial.status != 206:
        return NO_RANGES
    if (head.get("etag") or "").startswith("W/"):
        return WEAK_TAG
    if not head.get("etag") and not head.get("last-modified"):
        return NO_VALIDATOR
    return weak_date(head)


def weak_date(head):
    """Why a date is no strong validator (RFC 9110, 8.8.2.2)."""
    if head.get("etag") or not head.get("last-modified"):
        return ""
    return BAD_DATE if not head.get("last-modified").endswith("GMT") else "" if head.get("date") else NO_DATE


def why_not_complete(visit, name):
    """The reason why a complete file is downloaded again."""
    first = visit.ask(name)
    if not first.get("etag") and not first.get("last-modified"):
        return NO_VALIDATOR
    return WEAK_TAG if (first.get("etag") or "").startswith("W/") else weak_date(first)


def explained(visit, result, before, after):
    """Adds how the server deviated when a changed file was downloaded again."""
    first = visit.relay.responses[0] if visit.is_readable and visit.relay.responses else None
    if result.text != "restarted" or not first or first.status != 206:
        return result
    if before == after:
        result.deviation = SAME_TAG if before[0] else SAME_DATE
    elif before[0] and before[0] == after[0]:
        result.deviation = OUTLIVED_TAG
    else:
        result.deviation = IGNORES_IF_RANGE
    return result
