#!/usr/bin/env bash
# URL(string:) encodes the percent signs of a URL again if another character of it is illegal.
#
# One would guess: in "q=a%20b&tags[]=1", a query in the style of PHP and Rails, only the brackets are encoded, as curl and
# browsers do, because a percent sign that begins an escape is legal.
# Seen: Foundation on Linux sends "q=a%2520b&tags%5B%5D=1". URLComponents(string:) does the same. Without the brackets
# the escapes stay, so the same value reaches the server in two forms.
# Version: Foundation of Swift 6.3.1. Source: URL(string:encodingInvalidCharacters:) in swift-foundation, RFC 3986 section 2.4:
# "implementations must not percent-encode … the same string more than once".
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

let legal = "http://example.org/?q=a%20b"
let mixed = legal + "&tags[]=1"
let seen = [legal, mixed].map { URL(string: $0)?.absoluteString ?? "nil" } + [URLComponents(string: mixed)?.string ?? "nil"]
print("URL(string:): \(seen[0])\nURL(string:): \(seen[1])\nURLComponents(string:): \(seen[2])")
let twice = "http://example.org/?q=a%2520b&tags%5B%5D=1"
exit(seen == [legal, twice, twice] ? 0 : 1)
SWIFT
nice -n 10 swiftc "$folder/main.swift" -o "$folder/urls"
timeout 20 "$folder/urls" || { echo "this has changed" >&2; exit 1; }
