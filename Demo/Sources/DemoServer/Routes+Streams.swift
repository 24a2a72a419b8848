import NIOCore
import NIOHTTP1

extension Route {
    /// Bodies that are sent slowly.
    static let streams: [Route] = [
        Route([.GET], "/drip", "?bytes=10&seconds=2: that many bytes spread over that time") { request, responder in
            try await drip(
                bytes: try request.number("bytes", default: 10, in: 1...1_000_000_000),
                seconds: try request.number("seconds", default: 2.0, in: 0.0...3600.0),
                to: responder
            )
        },
        Route([.GET], "/stream/:count", "?delay=0: that many JSON lines, chunked") { request, responder in
            let count = try request.number("count", in: 0...1_000_000)
            let delay = try request.number("delay", default: 0.0, in: 0.0...60.0)
            try await responder.begin(.ok, headers: ["Content-Type": "application/x-ndjson"])
            for index in 0..<count {
                try await responder.write("{\"id\": \(index), \"message\": \"line \(index + 1) of \(count)\"}\n")
                try await Task.sleep(for: .seconds(delay))
            }
            try await responder.end()
        },
        Route([.GET], "/events", "?count=5&delay=0.2: server-sent events") { request, responder in
            let count = try request.number("count", default: 5, in: 0...1_000_000)
            let delay = try request.number("delay", default: 0.2, in: 0.0...60.0)
            let headers: HTTPHeaders = ["Content-Type": "text/event-stream", "Cache-Control": "no-cache"]
            try await responder.begin(.ok, headers: headers)
            for index in 0..<count {
                try await responder.write("id: \(index)\nevent: tick\ndata: {\"count\": \(index)}\n\n")
                try await Task.sleep(for: .seconds(delay))
            }
            try await responder.end()
        },
    ]

    private static func drip(bytes: Int, seconds: Double, to responder: Responder) async throws {
        // A chunk every 50 ms at most, and never an empty one.
        let pieces = max(1, min(bytes, Int(seconds * 20)))
        try await responder.begin(.ok, headers: ["Content-Type": "application/octet-stream"], length: bytes)
        for piece in 0..<pieces {
            let size = bytes * (piece + 1) / pieces - bytes * piece / pieces
            try await responder.write(ByteBuffer(repeating: UInt8(ascii: "*"), count: size))
            try await Task.sleep(for: .seconds(seconds / Double(pieces)))
        }
        try await responder.end()
    }
}
