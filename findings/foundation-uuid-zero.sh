#!/usr/bin/env bash
# Foundation's UUID() is always the same, all but zero, when the process has no free descriptor.
#
# One would guess: a new UUID is random, or the program stops.
# Seen: UUID() opens /dev/urandom for each UUID. If that fails, its bytes stay zero, without an error: two requests, files or
# transactions of a busy server have the same identifier. getrandom(2) needs no descriptor.
# Version: FoundationEssentials of Swift 6.3.1. Source: read_random in _FoundationCShims/uuid.c.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/uuid.swift" <<'FILE'
import FoundationEssentials
import Glibc

print("with descriptors:", UUID(), UUID())
while open("/dev/null", O_RDONLY) >= 0 {}
let (first, second) = (UUID(), UUID())
print("without:", first, second)
exit(first == second ? 0 : 1)
FILE
swiftc --version 2>/dev/null | sed -n 1p
swiftc -O -o "$folder/uuid" "$folder/uuid.swift"
(ulimit -n 64; "$folder/uuid") || { echo "this has changed" >&2; exit 1; }
