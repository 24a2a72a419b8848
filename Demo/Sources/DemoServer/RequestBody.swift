import NIOCore
import NIOHTTP1

/// The request bodies of one connection, read on demand: unread bytes stay in the socket.
final class RequestBody {
    private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private let channel: any Channel
    private var state = State.ended

    private enum State { case expectsContinue, open, ended }

    init(parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, channel: any Channel) {
        self.parts = parts.makeAsyncIterator()
        self.channel = channel
    }

    /// The head of the next request, or nil once the client has closed the connection.
    func nextHead() async throws -> HTTPRequestHead? {
        guard case .head(let head)? = try await parts.next() else { return nil }
        let expectation = head.headers["Expect"].first?.lowercased()
        state = expectation == "100-continue" ? .expectsContinue : .open
        return head
    }

    /// The next bytes of the current request's body, or nil at its end.
    ///
    /// The first call responds to `Expect: 100-continue`, so that a request rejected by its header never sends its body.
    func next() async throws -> ByteBuffer? {
        if state == .expectsContinue {
            let head = HTTPResponseHead(version: .http1_1, status: .continue)
            try await channel.writeAndFlush(HTTPServerResponsePart.head(head))
            state = .open
        }
        guard state == .open else { return nil }
        switch try await parts.next() {
        case .body(let bytes): return bytes
        case .end, nil:
            state = .ended
            return nil
        case .head: throw RequestError("a second head inside a body")
        }
    }

    /// Discards the unread rest, and returns whether the connection can be used for another request.
    func drain() async throws -> Bool {
        // After a final response the client need not send the body it announced with Expect (RFC 9110 §10.1.1).
        if state == .expectsContinue { return false }
        while try await next() != nil {}
        return true
    }
}
