#!/usr/bin/env bash
# HTTPURLResponse.suggestedFilename of Foundation on Linux does not know filename*, and compares names of parameters by case.
#
# One would guess: filename*=UTF-8''report.txt, which RFC 6266 prefers to filename and which is the only form for other
# alphabets, gives the name, and "FileName=" is the same as "filename=", as on macOS.
# Seen: both give "Unknown". If both forms are present, filename wins.
# Version: FoundationNetworking of Swift 6.3.1. Source: RFC 6266 sections 4.1 and 4.3, URLResponse.swift.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import Foundation
import FoundationNetworking

let fields = [
    "attachment; filename=plain.txt",
    "attachment; FileName=plain.txt",
    "attachment; filename*=UTF-8''extended.txt",
    "attachment; filename=\"plain.txt\"; filename*=UTF-8''extended.txt",
]
let seen = fields.map { field -> String in
    let response = HTTPURLResponse(
        url: URL(string: "http://example.org/download")!, statusCode: 200, httpVersion: nil,
        headerFields: ["Content-Disposition": field])
    return response?.suggestedFilename ?? "nil"
}
for (field, name) in zip(fields, seen) { print("\(field): \(name)") }
exit(seen == ["plain.txt", "Unknown", "Unknown", "plain.txt"] ? 0 : 1)
SWIFT
nice -n 10 swiftc "$folder/main.swift" -o "$folder/names"
timeout 20 "$folder/names" || { echo "this has changed" >&2; exit 1; }
