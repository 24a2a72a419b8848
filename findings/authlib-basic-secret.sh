#!/usr/bin/env bash
# Authlib's OAuth 2 server does not read the Basic credentials that Authlib's own client sends.
#
# One would guess: client and server of one library encode the client id and the secret in the same way, and RFC 6749 section
# 2.3.1 says how: both with application/x-www-form-urlencoded before Basic, so that a space is "+" and "%" is "%25".
# Seen: the client sends the secret as it is, the server decodes percent escapes: "a%41" arrives as "aA". The server does not
# decode "+": a client that follows the RFC with a space in its secret is refused. "%20" works.
# Version: Authlib 1.6.1. Source: encode_client_secret_basic in authlib/oauth2/auth.py, extract_basic_authorization in
# authlib/oauth2/rfc6749/util.py.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check --no-compile authlib==1.6.1
timeout 60 "$folder/env/bin/python" - <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import base64, sys
from types import SimpleNamespace
from urllib.parse import quote_plus
from authlib.oauth2.auth import encode_client_secret_basic
from authlib.oauth2.rfc6749.util import extract_basic_authorization
def own(secret):
    client = SimpleNamespace(client_id="id", client_secret=secret)
    headers = encode_client_secret_basic(client, "POST", "http://127.0.0.1/token", {}, "")[1]
    return extract_basic_authorization(headers)[1]
def standard(secret):
    pair = f"id:{quote_plus(secret)}".encode()
    return extract_basic_authorization({"Authorization": "Basic " + base64.b64encode(pair).decode()})[1]
seen = {secret: (own(secret), standard(secret)) for secret in ("plain", "a%41", "a b")}
for secret, (first, second) in seen.items():
    print(f"secret {secret!r}: from its own client {first!r}, from a client by the RFC {second!r}")
sys.exit(seen != {"plain": ("plain", "plain"), "a%41": ("aA", "a%41"), "a b": ("a b", "a+b")})
PYTHON
