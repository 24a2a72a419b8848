#!/usr/bin/env bash
# libpsl finds a registrable domain in an IPv4 address.
#
# One would guess: an address has no registrable domain: psl_registrable_domain returns NULL for 127.0.0.1, as for a host
# name that is a public suffix itself.
# Seen: it returns "0.1", because the rule "*" makes "1" a public suffix. 10.0.0.1 and 192.168.0.1 have the same domain for a
# caller that does not look for addresses first. For ::1 it returns NULL.
# Version: libpsl 0.21.2 of Debian 12. Source: psl_registrable_domain in src/psl.c, publicsuffix.org "Formal Algorithm".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
library=$(ldconfig -p | sed -n 's/.*libpsl\.so\.5 .* => //p' | head -1)
if [[ -z $library ]]; then
    (cd "$folder" && apt-get -o APT::Sandbox::User=root -qq download libpsl5 && dpkg -x libpsl5_*.deb .)
    library=$(find "$folder" -name 'libpsl.so.5' | head -1)
fi
timeout 20 python3 - "$library" <<'PYTHON' || { echo "this has changed" >&2; exit 1; }
import ctypes, sys
psl = ctypes.CDLL(sys.argv[1])
psl.psl_builtin.restype = ctypes.c_void_p
psl.psl_get_version.restype = ctypes.c_char_p
psl.psl_registrable_domain.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
psl.psl_registrable_domain.restype = ctypes.c_char_p
rules = psl.psl_builtin()
seen = {host: psl.psl_registrable_domain(rules, host.encode()) for host in
        ("www.example.org", "org", "127.0.0.1", "10.0.0.1", "192.168.0.1", "::1")}
print("libpsl", psl.psl_get_version().decode())
for host, domain in seen.items():
    print(f"{host}: {domain.decode() if domain else None}")
sys.exit(list(seen.values()) != [b"example.org", None, b"0.1", b"0.1", b"0.1", None])
PYTHON
