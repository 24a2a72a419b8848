#!/usr/bin/env bash
# HTTPCookie of Foundation on Linux ignores Max-Age and reads the year 30 as the year 0030.
#
# One would guess: "Max-Age=0" deletes a cookie and "Expires=…-Jun-30" means 2030, as RFC 6265 says and browsers do.
# Seen: without "Version=1", a relic of RFC 2109, Max-Age has no effect: the cookie has no date and stays. A year of two
# digits is taken literally, so that a cookie until 2030 expired in the year 30. A field "set-cookie" in lower case, the only
# form that HTTP/2 knows, yields no cookie at all.
# Version: FoundationNetworking of Swift 6.3.1. Source: RFC 6265 sections 5.1.1 and 5.2.2, HTTPCookie.swift.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/main.swift" <<'SWIFT'
import Foundation
import FoundationNetworking

func cookies(_ name: String, _ value: String) -> [HTTPCookie] {
    let cookies = HTTPCookie.cookies(withResponseHeaderFields: [name: value], for: URL(string: "http://example.org/")!)
    print("\(name): \(value): \(cookies.map { $0.expiresDate?.description ?? "no date" })")
    return cookies
}
let deleted = cookies("Set-Cookie", "a=1; Max-Age=0").first?.expiresDate
let versioned = cookies("Set-Cookie", "a=1; Max-Age=0; Version=1").first?.expiresDate
let short = cookies("Set-Cookie", "a=1; Expires=Sunday, 09-Jun-30 10:18:14 GMT").first?.expiresDate
let long = cookies("Set-Cookie", "a=1; Expires=Sun, 09 Jun 2030 10:18:14 GMT").first?.expiresDate
let lowercased = cookies("set-cookie", "a=1")
let year30 = short.map { $0 < Date(timeIntervalSince1970: -61_000_000_000) } ?? false
let expected = deleted == nil && versioned != nil && year30 && long == Date(timeIntervalSince1970: 1_907_230_694)
exit(expected && lowercased.isEmpty ? 0 : 1)
SWIFT
nice -n 10 swiftc "$folder/main.swift" -o "$folder/cookies"
timeout 20 "$folder/cookies" || { echo "this has changed" >&2; exit 1; }
