import Foundation
import NIOCore
import NIOHTTP1

/// One endpoint.
struct Route: Sendable {
    /// Nil for every method.
    let methods: [HTTPMethod]?
    /// A path in which `:name` matches one component and a final `*` any number of them.
    let pattern: String
    /// The path and the purpose of the endpoint, for the index.
    let summary: String
    let answer: @Sendable (Request, Responder) async throws -> Void

    init(
        _ methods: [HTTPMethod]?,
        _ pattern: String,
        _ summary: String,
        answer: @escaping @Sendable (Request, Responder) async throws -> Void
    ) {
        self.methods = methods
        self.pattern = pattern
        self.summary = summary
        self.answer = answer
    }

    /// The path's parameters, or nil when the path is not this route's.
    func parameters(of path: Substring) -> [String: String]? {
        var parameters: [String: String] = [:]
        var components = path.split(separator: "/", omittingEmptySubsequences: false)[...]
        for expected in pattern.split(separator: "/", omittingEmptySubsequences: false) {
            if expected == "*" { return parameters }
            guard let component = components.popFirst() else { return nil }
            if expected.hasPrefix(":") {
                parameters[String(expected.dropFirst())] = component.removingPercentEncoding ?? String(component)
            } else if component != expected {
                return nil
            }
        }
        return components.isEmpty ? parameters : nil
    }
}

/// Finds the endpoint of a request, which sends the response.
struct Router: Sendable {
    let routes: [Route]

    func answer(_ request: Request, with responder: Responder) async throws {
        var request = request
        let candidates = routes.filter { $0.parameters(of: request.path) != nil }
        let match = candidates.first { $0.methods?.contains(request.head.method) ?? true }
        guard let match, let parameters = match.parameters(of: request.path) else {
            return try await refuse(allowing: candidates.flatMap { $0.methods ?? [] }, with: responder)
        }
        request.parameters = parameters
        do {
            try await match.answer(request, responder)
        } catch let error as RequestError {
            try await responder.send(.badRequest, json: ["error": .string(error.description)])
        }
    }

    private func refuse(allowing methods: [HTTPMethod], with responder: Responder) async throws {
        guard !methods.isEmpty else {
            return try await responder.send(.notFound, json: ["error": "no such endpoint; GET / lists them"])
        }
        let allowed = methods.map(\.rawValue).joined(separator: ", ")
        try await responder.send(
            .methodNotAllowed, headers: ["Allow": allowed], json: ["error": .string("use \(allowed)")])
    }
}

extension Route {
    /// Every endpoint of the server.
    static var all: [Route] {
        let attempts = AttemptCounter()
        let groups = [echo, status, files(attempts), streams, authentication, retries(attempts), examples]
        let endpoints = [Route](groups.joined())
        let index = endpoints.map { "\($0.pattern)\t\($0.summary)\n" }.joined()
        return endpoints + [
            Route([.GET, .HEAD], "/", "This list") { _, responder in
                try await responder.send(.ok, headers: ["Content-Type": "text/plain"], body: ByteBuffer(string: index))
            },
            Route(nil, "/", "Echo of any other method", answer: echo),
        ]
    }
}
