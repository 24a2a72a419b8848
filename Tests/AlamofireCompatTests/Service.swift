import Foundation
import Synchronization
import TestSupport
import Testing

/// The service that the sample app talks to.
final class Service: Sendable {
    let server: LocalServer

    init() throws {
        let isWarm = Mutex(false)
        server = try LocalServer { request in
            let isFirst = isWarm.withLock { warm in
                defer { warm = true }
                return !warm
            }
            return request.path == "/accounts/503" && isFirst ? .status(503) : Self.answer(request)
        }
    }

    var base: URL {
        get throws { try #require(URL(string: server.url())) }
    }

    private static let ada = #"{"id":1,"name":"Ada","created_at":"1815-12-10T00:00:00Z"}"#

    private static func answer(_ request: RecordedRequest) -> LocalServer.Response {
        switch (request.method, request.path) {
        case ("POST", "/token"): .json(#"{"access":"fresh","refresh":"next"}"#)
        case (_, "/settings"): .json(#"{"theme":"dark","query":"\#(request.query ?? "")"}"#)
        case ("HEAD", "/ping"): .status(204).header("X-Pong", "1")
        case _ where request["Authorization"] != "Bearer fresh": .status(401)
        case ("GET", "/accounts"): .json("[\(ada)]")
        case ("POST", "/accounts") where request.text.contains("Nobody"):
            .status(422, #"{"message":"not a name"}"#)
        case ("POST", "/accounts"): .json(ada)
        case ("DELETE", _): .status(204)
        case ("GET", "/accounts/1"), ("GET", "/accounts/503"): .json(ada)
        case ("GET", "/accounts/2"): .redirect(to: "/accounts/1")
        case (_, "/pictures"), (_, "/records"): .ok("\(request.bodyLength)")
        case (_, "/report"):
            .bytes([UInt8](repeating: 65, count: 100_000))
                .header("Content-Disposition", "attachment; filename=\"report.txt\"")
        case (_, "/log"): .ok(String(repeating: "line\n", count: 2000))
        case (_, "/feed"): .json(#"{"number":1}"#)
        default: .status(404)
        }
    }
}
