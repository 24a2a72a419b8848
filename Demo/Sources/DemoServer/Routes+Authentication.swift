import Foundation
import NIOCore
import NIOHTTP1

extension Route {
    /// Endpoints that want credentials.
    static let authentication: [Route] = [
        Route(nil, "/basic-auth/:user/:password", "Wants exactly these basic credentials") { request, responder in
            let user = request.parameters["user"] ?? ""
            let expected = Data("\(user):\(request.parameters["password"] ?? "")".utf8)
            guard let sent = credentials("Basic", in: request), Data(base64Encoded: String(sent)) == expected else {
                return try await challenge("Basic realm=\"demo\", charset=\"UTF-8\"", to: responder)
            }
            try await responder.send(json: ["authenticated": .boolean(true), "user": .string(user)])
        },
        Route(nil, "/bearer", "Wants any bearer token") { request, responder in
            guard let token = credentials("Bearer", in: request), !token.isEmpty else {
                return try await challenge("Bearer realm=\"demo\"", to: responder)
            }
            try await responder.send(json: ["authenticated": .boolean(true), "token": .string(String(token))])
        },
    ]

    private static func credentials(_ scheme: String, in request: Request) -> Substring? {
        let halves = request.head.headers["Authorization"].first?.split(separator: " ", maxSplits: 1) ?? []
        guard halves.count == 2, halves[0].lowercased() == scheme.lowercased() else { return nil }
        return halves[1]
    }

    private static func challenge(_ challenge: String, to responder: Responder) async throws {
        try await responder.send(
            .unauthorized,
            headers: ["WWW-Authenticate": challenge],
            json: ["authenticated": .boolean(false)]
        )
    }
}
