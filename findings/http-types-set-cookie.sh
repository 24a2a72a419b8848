#!/usr/bin/env bash
# swift-http-types joins two Set-Cookie fields with a comma on the way through HTTPURLResponse.
#
# One would guess: a response with two Set-Cookie fields is the same after HTTPURLResponse(httpResponse:) and .httpResponse, as
# RFC 9110 section 5.3 says that these fields cannot be combined: a comma belongs to the date of Expires.
# Seen: one field "a=1; Expires=Sun, 09 Jun 2030 …, b=2" comes back. fields[.setCookie] joins in the same way; only
# fields[values: .setCookie] keeps them apart.
# Version: swift-http-types 1.8.0, Swift 6.3.1. Source: Sources/HTTPTypesFoundation/URLResponse+HTTPTypes.swift, HTTPFields.swift.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/check"
cat >"$folder/Package.swift" <<'SWIFT'
// swift-tools-version:5.9
import PackageDescription
let package = Package(
    name: "check",
    dependencies: [.package(url: "https://github.com/apple/swift-http-types", exact: "1.8.0")],
    targets: [.executableTarget(name: "check", dependencies: [
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "HTTPTypesFoundation", package: "swift-http-types"),
    ])])
SWIFT
cat >"$folder/Sources/check/main.swift" <<'SWIFT'
import Foundation
import FoundationNetworking
import HTTPTypes
import HTTPTypesFoundation

var fields = HTTPFields()
fields.append(HTTPField(name: .setCookie, value: "a=1; Expires=Sun, 09 Jun 2030 10:18:14 GMT"))
fields.append(HTTPField(name: .setCookie, value: "b=2"))
let response = HTTPResponse(status: .ok, headerFields: fields)
let foundation = HTTPURLResponse(httpResponse: response, url: URL(string: "http://example.org/")!)
let back = foundation?.httpResponse?.headerFields ?? HTTPFields()
let joined = "a=1; Expires=Sun, 09 Jun 2030 10:18:14 GMT, b=2"
print("before: \(fields[values: .setCookie].count) fields, after: \(back[values: .setCookie])")
exit(fields[values: .setCookie].count == 2 && fields[.setCookie] == joined && back[values: .setCookie] == [joined] ? 0 : 1)
SWIFT
export SWIFT_BACKTRACE=enable=no
nice -n 10 swift build --package-path "$folder" >"$folder/log" 2>&1 || { tail -20 "$folder/log" >&2; exit 2; }
timeout 20 "$folder/.build/debug/check" || { echo "this has changed" >&2; exit 1; }
