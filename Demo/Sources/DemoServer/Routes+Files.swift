import NIOCore
import NIOHTTP1

extension Route {
    /// Complete and faulty downloads.
    static func files(_ attempts: AttemptCounter) -> [Route] {
        [
            Route(
                [.GET, .HEAD],
                "/file",
                "?size=1048576&seed=0: a file of that size with ranges and validators"
            ) { request, responder in
                try await SyntheticFile(request).answer(request, with: responder)
            },
            Route([.GET, .HEAD], "/release.tar.gz", "A file of 3 MB", answer: release),
            Route([.GET, .HEAD], "/big.iso", "The same", answer: release),
            Route(
                [.GET],
                "/cut",
                "?size=&after=&seed=0&key=: /file, broken off after that many bytes unless a range is asked for;"
                    + " with a key only the first time for that key"
            ) { request, responder in
                let file = try SyntheticFile(request)
                let after = try request.number("after", default: file.size / 2, in: 0...file.size)
                let hasRange = request.head.headers.contains(name: "Range")
                let isCut = !hasRange && request.text("key").map { attempts.next(for: "cut " + $0) == 1 } ?? true
                try await file.answer(request, with: responder, breakingOffAfter: isCut ? after : nil)
            },
        ]
    }

    @Sendable private static func release(_ request: Request, to responder: Responder) async throws {
        try await SyntheticFile(size: 3_000_000, seed: 1).answer(request, with: responder)
    }
}

extension SyntheticFile {
    fileprivate init(_ request: Request) throws {
        self.init(
            size: try request.number("size", default: 1_048_576, in: 0...1_000_000_000_000),
            seed: try request.number("seed", default: 0, in: 0...UInt64.max)
        )
    }

    /// Responds like a static file server (RFC 9110 §13, §14).
    fileprivate func answer(
        _ request: Request,
        with responder: Responder,
        breakingOffAfter limit: Int? = nil
    ) async throws {
        var headers: HTTPHeaders = ["ETag": entityTag, "Last-Modified": lastModified, "Accept-Ranges": "bytes"]
        guard !isUnchanged(for: request) else { return try await responder.send(.notModified, headers: headers) }
        switch requestedRange(of: request) {
        case .unsatisfiable:
            headers.add(name: "Content-Range", value: "bytes */\(size)")
            try await responder.send(.rangeNotSatisfiable, headers: headers)
        case .part(let range):
            headers.add(name: "Content-Range", value: "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(size)")
            try await send(range, as: .partialContent, headers: headers, with: responder)
        case .whole:
            try await send(0..<size, as: .ok, headers: headers, with: responder, breakingOffAfter: limit)
        }
    }

    private func isUnchanged(for request: Request) -> Bool {
        let headers = request.head.headers
        if let tags = headers["If-None-Match"].first { return tags == "*" || tags.contains(entityTag) }
        return headers["If-Modified-Since"].first == lastModified
    }

    private func requestedRange(of request: Request) -> ByteRange {
        let headers = request.head.headers
        let condition = headers["If-Range"].first
        guard request.head.method == .GET, condition == nil || condition == entityTag || condition == lastModified
        else {
            return .whole
        }
        return ByteRange(headers["Range"].first, of: size)
    }

    private func send(
        _ range: Range<Int>,
        as status: HTTPResponseStatus,
        headers: HTTPHeaders,
        with responder: Responder,
        breakingOffAfter limit: Int? = nil
    ) async throws {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/octet-stream")
        try await responder.begin(status, headers: headers, length: range.count)
        guard !responder.isHead else { return try await responder.end() }
        let end = range.lowerBound + min(range.count, limit ?? range.count)
        for start in stride(from: range.lowerBound, to: end, by: Self.chunkSize) {
            try await responder.write(bytes(in: start..<min(start + Self.chunkSize, end)))
        }
        if end < range.upperBound {
            try await responder.breakOff()
        } else {
            try await responder.end()
        }
    }

    private static var chunkSize: Int { 262_144 }
}
