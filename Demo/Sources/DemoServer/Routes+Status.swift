import NIOCore
import NIOHTTP1

extension Route {
    /// Statuses, waits and redirects.
    static let status: [Route] = [
        Route(nil, "/status/:code", "Responds with that status, 200 to 599") { request, responder in
            let code = try request.number("code", in: 200...599)
            let status = HTTPResponseStatus(statusCode: code)
            guard status.mayHaveResponseBody else { return try await responder.send(status) }
            let headers: HTTPHeaders =
                switch code {
                case 300..<400: ["Location": "/get"]
                case 401: ["WWW-Authenticate": "Basic realm=\"demo\""]
                default: [:]
                }
            let body: JSON = ["status": .integer(code), "reason": .string(status.reasonPhrase)]
            try await responder.send(status, headers: headers, json: body)
        },
        Route(nil, "/delay/:seconds", "Echo after that many seconds") { request, responder in
            try await Task.sleep(for: .seconds(try request.number("seconds", in: 0.0...3600.0)))
            try await responder.send(json: try await description(of: request))
        },
        Route(nil, "/redirect/:count", "That many relative 302 redirects, then /get") { request, responder in
            let count = try request.number("count", in: 1...1000)
            let next = count == 1 ? "/get" : "/redirect/\(count - 1)"
            try await responder.send(.found, headers: ["Location": next])
        },
        Route(nil, "/redirect-to", "?url=&status=302: redirects there") { request, responder in
            guard let url = request.text("url"), url.utf8.allSatisfy({ $0 > 32 && $0 != 127 }) else {
                throw RequestError("url is missing or holds a space or a control character")
            }
            let status = HTTPResponseStatus(statusCode: try request.number("status", default: 302, in: 300...399))
            try await responder.send(status, headers: ["Location": url])
        },
    ]
}
