import NIOCore
import NIOHTTP1

extension Route {
    /// Responds with the request as JSON.
    static let echo: [Route] = [
        Route([.GET, .HEAD], "/get", "Echo of a GET: args and header lines in the order sent", answer: echo),
        Route([.POST], "/post", "Echo of a POST: also form fields, files, JSON, size and digest", answer: echo),
        Route([.PUT], "/put", "Echo of a PUT", answer: echo),
        Route([.PATCH], "/patch", "Echo of a PATCH", answer: echo),
        Route([.DELETE], "/delete", "Echo of a DELETE", answer: echo),
        Route(nil, "/anything", "Echo of any method", answer: echo),
        Route(nil, "/anything/*", "Echo of any method and path", answer: echo),
        Route(
            [.POST, .PUT], "/upload", "multipart/form-data of any size: name, file name, type, size, digest of parts"
        ) {
            request, responder in
            let report = try await BodyReport(reading: request)
            guard !report.parts.isEmpty else { throw RequestError("the body is not multipart/form-data") }
            try await responder.send(json: [
                "size": .integer(report.size), "parts": .array(report.parts.map { JSON($0) }),
            ])
        },
        Route([.GET, .HEAD], "/json", "A JSON document with something of everything") { _, responder in
            let headers: HTTPHeaders = ["Content-Type": "application/json"]
            try await responder.send(.ok, headers: headers, body: ByteBuffer(string: sampleJSON))
        },
        Route([.GET], "/gzip", "Echo of a GET, gzip-encoded") { request, responder in
            let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Encoding": "gzip"]
            let echo = try await description(of: request).text + "\n"
            try await responder.send(.ok, headers: headers, body: ByteBuffer(bytes: gzipped([UInt8](echo.utf8))))
        },
    ]

    @Sendable static func echo(_ request: Request, to responder: Responder) async throws {
        try await responder.send(json: try await description(of: request))
    }

    /// Reads the request to its end and describes it.
    static func description(of request: Request) async throws -> JSON {
        let body = try await BodyReport(reading: request)
        return [
            "method": .string(request.head.method.rawValue),
            "path": .string(String(request.path)),
            "args": JSON(request.query),
            "headers": .array(request.head.headers.map { .string("\($0.name): \($0.value)") }),
            "form": JSON(body.form),
            "files": .array(body.parts.filter { $0.filename != nil }.map { JSON($0) }),
            "json": body.json.map { .raw($0) } ?? .null,
            "data": JSON(body.text),
            "size": .integer(body.size),
            "sha256": JSON(body.sha256),
        ]
    }

    private static let sampleJSON = """
        {
          "title": "Ærø – 東京 🚲",
          "escapes": "quote \\" backslash \\\\ slash \\/ tab \\t snowman \\u2603 clef \\ud834\\udd1e",
          "numbers": [0, -1, 1.50, 6.02214076e23, 1e400, 123456789012345678901234567890],
          "truth": [true, false, null],
          "empty": {"object": {}, "array": [], "string": ""},
          "nested": {"a": {"b": {"c": [[1, 2], [3, [4, 5]]]}}},
          "duplicate": 1,
          "duplicate": 2,
          "people": [
            {"name": "Ada", "born": 1815, "tags": ["mathematics", "engines"]},
            {"name": "Grace", "born": 1906, "tags": ["compilers", "ships"]}
          ]
        }

        """
}
