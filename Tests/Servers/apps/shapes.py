"""What all applications have in common: the bodies of their responses, and the description of a request.

Paths of every application:
    /echo     method, header fields and body as the application sees them, as JSON
    /form     the fields and files that the framework reads from the body, as JSON
    /413, /401, /200
              a response with that status, without reading the body
    /chunks   a response whose length is not known in advance
    /empty    204
    /gzip     a compressed response
"""

import gzip
import hashlib
import json

PARTS = [bytes([65 + index]) * 10_000 for index in range(20)]
COMPRESSED = gzip.compress(b"".join(PARTS))
EARLY = {"/413": 413, "/401": 401, "/200": 200}
REASONS = {200: "OK", 204: "No Content", 401: "Unauthorized", 404: "Not Found", 413: "Content Too Large"}
CHALLENGE = 'Basic realm="table"'
EARLY_BODY = b'{"early": true}'


def echo(method, headers, body):
    """The JSON of /echo. `headers` are pairs of texts."""
    fields = {name.lower().replace("_", "-"): value for name, value in headers}
    return json.dumps({"method": method, "headers": fields, "length": len(body),
                       "sha256": hashlib.sha256(body).hexdigest()}).encode()


def form(fields, files):
    """The JSON of /form. `fields` are pairs of texts; `files` have a name, a file name and the content."""
    return json.dumps({"fields": [list(pair) for pair in fields],
                       "files": [[name, filename, hashlib.sha256(content).hexdigest()]
                                 for name, filename, content in files]}).encode()


def early_headers(status):
    """The header fields of an early response, without Content-Length."""
    return [("Content-Type", "application/json")] + ([("WWW-Authenticate", CHALLENGE)] if status == 401 else [])
