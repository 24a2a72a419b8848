#!/usr/bin/env bash
# The example of RFC 7616 section 3.9.2 is not SHA-512/256.
#
# One would guess: the userhash and the response that the section prints for `algorithm=SHA-512-256` are computed with
# SHA-512/256 of FIPS 180-4, which the RFC names in section 6.1, so that they can serve as test vectors.
# Seen: both are the first 32 bytes of SHA-512, which has other initial values. A client that passes the example fails at
# servers that compute SHA-512/256.
# Version: pycryptodome 3.20.0. Source: RFC 7616, sections 3.4.4, 3.9.2 and 6.1, and its erratum 4897.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/env"
"$folder/env/bin/pip" install -q --disable-pip-version-check pycryptodome==3.20.0
"$folder/env/bin/python" - <<'PYTHON'
import sys
from Crypto.Hash import SHA512

printed = {
    "userhash": "488869477bf257147b804c45308cd62ac4e25eb717b12b298c79e62dcea254ec",
    "response": "ae66e67d6b427bd3f120414a82e4acff38e8ecd9101d6c861229025f607a79dd",
}
user, realm, password = "J\u00e4s\u00f8n Doe", "api@example.org", "Secret, or not?"
nonce, client = "5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v"

def values(digest):
    def joined(*parts): return digest(":".join(parts))
    secret = joined(user, realm, password)
    return {
        "userhash": joined(user, realm),
        "response": joined(secret, nonce, "00000001", client, "auth", joined("GET", "/doe.json")),
    }

standard = values(lambda text: SHA512.new(text.encode(), truncate="256").hexdigest())
truncated = values(lambda text: SHA512.new(text.encode()).hexdigest()[:64])
for name in printed:
    print(f"{name}: printed {printed[name][:16]}, SHA-512/256 {standard[name][:16]}, truncated SHA-512 {truncated[name][:16]}")
sys.exit(0 if printed == truncated and printed != standard else "the values have changed")
PYTHON
