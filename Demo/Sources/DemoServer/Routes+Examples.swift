import NIOHTTP1

extension Route {
    /// The routes for the examples in the README and the manual. Each rejects requests that differ from the example.
    static let examples: [Route] = [
        Route([.GET], "/search", "?q=: echo of a search") { request, responder in
            guard request.text("q") != nil else { throw RequestError("q is missing") }
            try await echo(request, to: responder)
        },
        Route([.GET], "/people/:id", "A person as JSON") { _, responder in
            try await responder.send(json: ["id": .integer(1), "name": "Ada", "born": .integer(1815)])
        },
        Route([.POST], "/people", "Requires JSON") { request, responder in
            try await takeJSON(request, responder, as: .created)
        },
        Route([.PUT], "/users/:id", "Requires JSON") { request, responder in
            try await takeJSON(request, responder, as: .ok)
        },
        Route([.POST], "/notes", "Requires a form with a text") { request, responder in
            let form = try await BodyReport(reading: request).form
            guard let text = form.first(where: { $0.name == "text" }) else { throw RequestError("there is no text") }
            try await responder.send(json: ["text": .string(text.value)])
        },
        Route([.POST], "/photos", "Requires multipart/form-data with a file") { request, responder in
            let parts = try await BodyReport(reading: request).parts
            guard parts.contains(where: { $0.filename != nil }) else { throw RequestError("there is no file") }
            try await responder.send(.created, json: ["parts": .array(parts.map { JSON($0) })])
        },
        Route([.PUT], "/backup", "Requires a body of any kind", answer: takeBytes),
        Route([.POST], "/archive", "Requires a body of any kind", answer: takeBytes),
        Route([.GET], "/chat", "A WebSocket that echoes messages", answer: refuseUpgrade),
        Route([.GET], "/ticks", "A WebSocket that sends three events", answer: refuseUpgrade),
        Route([.GET], "/status", "Health of the server", answer: showHealth),
        Route([.GET], "/health", "Health of the server", answer: showHealth),
    ]

    /// An upgrade does not get here.
    @Sendable private static func refuseUpgrade(_ request: Request, _ responder: Responder) async throws {
        try await responder.send(
            .upgradeRequired, headers: ["Upgrade": "websocket"], json: ["error": "use a WebSocket"])
    }

    private static func takeJSON(
        _ request: Request,
        _ responder: Responder,
        as status: HTTPResponseStatus
    ) async throws {
        guard let json = try await BodyReport(reading: request).json else { throw RequestError("the body is no JSON") }
        try await responder.send(status, json: .raw(json))
    }

    @Sendable private static func takeBytes(_ request: Request, _ responder: Responder) async throws {
        let body = try await BodyReport(reading: request)
        guard body.size > 0 else { throw RequestError("there is no body") }
        try await responder.send(json: ["size": .integer(body.size), "sha256": JSON(body.sha256)])
    }

    @Sendable private static func showHealth(_ request: Request, _ responder: Responder) async throws {
        try await responder.send(headers: ["X-Version": "1.0"], json: ["status": "up"])
    }
}
