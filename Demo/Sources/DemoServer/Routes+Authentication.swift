import Foundation
import NIOCore
import NIOHTTP1

extension Route {
    /// Endpoints that require credentials.
    static let authentication: [Route] = [
        Route(nil, "/basic-auth/:user/:password", "Requires exactly these basic credentials") { request, responder in
            let (user, password) = (request.parameters["user"] ?? "", request.parameters["password"] ?? "")
            try await admit(user, password, request, responder)
        },
        Route(nil, "/bearer", "Requires any bearer token", answer: admitBearer),
        Route(nil, "/private", "Requires the basic credentials ada:secret") { request, responder in
            try await admit("ada", "secret", request, responder)
        },
        Route(nil, "/api", "Requires any bearer token", answer: admitBearer),
    ]

    private static func admit(
        _ user: String,
        _ password: String,
        _ request: Request,
        _ responder: Responder
    ) async throws {
        let expected = Data("\(user):\(password)".utf8)
        guard let sent = credentials("Basic", in: request), Data(base64Encoded: String(sent)) == expected else {
            return try await challenge("Basic realm=\"demo\", charset=\"UTF-8\"", to: responder)
        }
        try await responder.send(json: ["authenticated": .boolean(true), "user": .string(user)])
    }

    @Sendable private static func admitBearer(_ request: Request, _ responder: Responder) async throws {
        guard let token = credentials("Bearer", in: request), !token.isEmpty else {
            return try await challenge("Bearer realm=\"demo\"", to: responder)
        }
        try await responder.send(json: ["authenticated": .boolean(true), "token": .string(String(token))])
    }

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
