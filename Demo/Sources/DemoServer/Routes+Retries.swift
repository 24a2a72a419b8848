import NIOCore
import NIOHTTP1
import Synchronization

/// Counts requests by key for as long as the server lives.
final class AttemptCounter: Sendable {
    private let counts = Mutex<[String: Int]>([:])

    /// The number of this attempt, from 1.
    func next(for key: String) -> Int {
        counts.withLock { counts in
            counts[key, default: 0] += 1
            return counts[key, default: 0]
        }
    }
}

extension Route {
    /// Endpoints that fail at first.
    static func retries(_ attempts: AttemptCounter) -> [Route] {
        [
            Route(nil, "/flaky", "?key=&fails=2: 503 the first times for that key, then 200") { request, responder in
                let fails = try request.number("fails", default: 2, in: 0...1000)
                let attempt = attempts.next(for: "flaky " + (request.text("key") ?? ""))
                let body: JSON = ["attempt": .integer(attempt)]
                if attempt <= fails {
                    try await responder.send(.serviceUnavailable, headers: ["Retry-After": "0"], json: body)
                } else {
                    try await responder.send(json: body)
                }
            }
        ]
    }
}
