#!/usr/bin/env bash
# OpenCombine's flatMap leaves its upstream running if an inner publisher fails.
#
# One would guess: after a failure flatMap cancels its upstream, as switchToLatest and tryMap of OpenCombine do and as a
# download behind it needs; at the latest cancel() of the subscription does so.
# Seen: the completion arrives, but the upstream is never canceled, not even by cancel(). switchToLatest cancels it.
# Version: OpenCombine 0.14.0, Swift 6.3.1. Source: Sources/OpenCombine/Publishers/Publishers.FlatMap.swift.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/Sources/check"
cat >"$folder/Package.swift" <<'SWIFT'
// swift-tools-version:5.9
import PackageDescription
let package = Package(
    name: "check",
    dependencies: [.package(url: "https://github.com/OpenCombine/OpenCombine", exact: "0.14.0")],
    targets: [.executableTarget(name: "check", dependencies: ["OpenCombine"])])
SWIFT
cat >"$folder/Sources/check/main.swift" <<'SWIFT'
import Foundation
import OpenCombine

struct Failure: Error {}
typealias Numbers = AnyPublisher<Int, Failure>
func inner(_ number: Int) -> Numbers {
    number == 2 ? Fail(error: Failure()).eraseToAnyPublisher() : Just(number).setFailureType(to: Failure.self).eraseToAnyPublisher()
}
func check(_ name: String, _ chain: (Numbers) -> Numbers) -> [Int] {
    var cancellations = 0
    var completions = 0
    let upstream = PassthroughSubject<Int, Failure>()
    let counted = upstream.handleEvents(receiveCancel: { cancellations += 1 }).eraseToAnyPublisher()
    let subscription = chain(counted).sink(receiveCompletion: { _ in completions += 1 }, receiveValue: { _ in })
    upstream.send(1)
    upstream.send(2)
    let afterFailure = cancellations
    subscription.cancel()
    print("\(name): \(completions) completion, upstream canceled \(afterFailure) times, after cancel() \(cancellations) times")
    return [completions, afterFailure, cancellations]
}
let flat = check("flatMap") { $0.flatMap(inner).eraseToAnyPublisher() }
let latest = check("switchToLatest") { $0.map(inner).switchToLatest().eraseToAnyPublisher() }
exit(flat == [1, 0, 0] && latest == [1, 1, 1] ? 0 : 1)
SWIFT
export SWIFT_BACKTRACE=enable=no
nice -n 10 swift build --package-path "$folder" >"$folder/log" 2>&1 || { tail -20 "$folder/log" >&2; exit 2; }
timeout 20 "$folder/.build/debug/check" || { echo "this has changed" >&2; exit 1; }
