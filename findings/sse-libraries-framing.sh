#!/usr/bin/env bash
# sseclient-py and httpx-sse lose the first event behind a byte order mark, and each breaks another rule of event streams.
#
# One would guess: libraries for event streams follow the HTML standard: a leading U+FEFF is skipped, an event without data is
# not dispatched, an event that the end of the stream cuts off is dropped.
# Seen: both take the mark for a part of the first field's name and drop that event. httpx-sse dispatches an event of
# "event: ping" without data. sseclient-py dispatches the event that was cut off.
# Version: sseclient-py 1.8.0, httpx-sse 0.4.1. Source: "Parsing an event stream" and "Interpreting an event stream" of the
# HTML standard, httpx_sse/_decoders.py, sseclient/__init__.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile sseclient-py==1.8.0 httpx-sse==0.4.1 httpx==0.28.1
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import sys
import httpx, httpx_sse, sseclient
def through_httpx(stream):
    response = httpx.Response(200, headers={"Content-Type": "text/event-stream"}, content=iter([stream]))
    return [(event.event, event.data) for event in httpx_sse.EventSource(response).iter_sse()]
def through_sseclient(stream):
    return [(event.event, event.data) for event in sseclient.SSEClient(iter([stream])).events()]
streams = {
    "byte order mark": b"\xef\xbb\xbfdata: 1\n\ndata: 2\n\n",
    "no data": b"event: ping\n\ndata: 1\n\n",
    "cut off": b"data: 1\n\ndata: 2\n",
}
first, second = ("message", "1"), ("message", "2")
standard = {"byte order mark": [first, second], "no data": [first], "cut off": [first]}
expected = {
    "byte order mark": ([second], [second]),
    "no data": ([first], [("ping", ""), first]),
    "cut off": ([first, second], [first]),
}
seen = {name: (through_sseclient(stream), through_httpx(stream)) for name, stream in streams.items()}
for name, (one, other) in seen.items():
    print(f"{name}: standard {standard[name]}, sseclient-py {one}, httpx-sse {other}")
sys.exit(seen != expected)
PYTHON
