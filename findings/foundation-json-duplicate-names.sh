#!/usr/bin/env bash
# The two JSON readers of Foundation take different members of an object with a repeated name.
#
# One would guess: JSONSerialization and JSONDecoder of one library agree on {"a":1,"a":2}, and "é" and "e" with a
# combining accent are two names, because RFC 8259 compares code units.
# Seen: JSONSerialization takes the last member, JSONDecoder the first one. Both keep one of the two accented names, because
# a Swift dictionary compares strings by canonical equivalence; JSONSerialization keeps the last, JSONDecoder the first.
# Version: Foundation of Swift 6.3.1. Source: RFC 8259 sections 4 and 8.3, JSONDecoder and JSONSerialization of swift-foundation.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import Foundation

var seen: [String] = []
for document in [#"{"a":1,"a":2}"#, #"{"\u00e9":1,"e\u0301":2}"#] {
    let data = Data(document.utf8)
    let decoded = try JSONDecoder().decode([String: Int].self, from: data)
    let serialized = try JSONSerialization.jsonObject(with: data) as? [String: Int] ?? [:]
    print("\(document): JSONDecoder \(decoded.values.sorted()), JSONSerialization \(serialized.values.sorted())")
    seen.append("\(decoded.values.sorted())\(serialized.values.sorted())")
}
exit(seen == ["[1][2]", "[1][2]"] ? 0 : 1)
SWIFT
nice -n 10 swiftc "$folder/main.swift" -o "$folder/names"
timeout 20 "$folder/names" || { echo "this has changed" >&2; exit 1; }
