import Glibc
import NIOCore
import NIOHTTP1

/// Writes the response to one request.
///
/// Every write waits until the kernel has taken its bytes: memory stays flat however slow the reader is.
struct Responder {
    let channel: any Channel
    /// Responses to HEAD have all header fields and no body.
    let isHead: Bool

    /// Sends a complete response.
    func send(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: ByteBuffer = ByteBuffer()) async throws {
        try await begin(status, headers: headers, length: status.mayHaveResponseBody ? body.readableBytes : nil)
        try await write(body)
        try await end()
    }

    /// Sends a complete response with a JSON body.
    func send(_ status: HTTPResponseStatus = .ok, headers: HTTPHeaders = [:], json body: JSON) async throws {
        var headers = headers
        headers.add(name: "Content-Type", value: "application/json")
        try await send(status, headers: headers, body: ByteBuffer(string: body.text + "\n"))
    }

    /// Sends the head; the body follows with ``write(_:)`` and ``end()``.
    ///
    /// - Parameter length: Nil for a body of unknown length, which is then sent chunked.
    func begin(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:], length: Int? = nil) async throws {
        var head = HTTPResponseHead(version: .http1_1, status: status)
        head.headers.add(name: "Date", value: Self.date())
        head.headers.add(contentsOf: headers)
        if let length {
            head.headers.add(name: "Content-Length", value: String(length))
        }
        try await put(.head(head))
    }

    func write(_ bytes: ByteBuffer) async throws {
        guard !isHead, bytes.readableBytes > 0 else { return }
        try await put(.body(.byteBuffer(bytes)))
    }

    func write(_ text: String) async throws {
        try await write(ByteBuffer(string: text))
    }

    func end() async throws {
        try await put(.end(nil))
    }

    /// Closes the connection in the middle of the response.
    func breakOff() async throws {
        try await channel.close()
    }

    /// The time as RFC 9110 §5.6.7 writes it; day and month are English because no locale was ever set.
    private static func date() -> String {
        var now = time(nil)
        var fields = tm()
        gmtime_r(&now, &fields)
        return String(unsafeUninitializedCapacity: 64) { text in
            strftime(text.baseAddress, text.count, "%a, %d %b %Y %H:%M:%S GMT", &fields)
        }
    }

    private func put(_ part: HTTPServerResponsePart) async throws {
        try await channel.writeAndFlush(part)
    }
}
