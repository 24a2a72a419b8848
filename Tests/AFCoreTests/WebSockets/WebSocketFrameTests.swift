import AFHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AFWebSockets

@Suite(.timeLimit(.minutes(5))) struct WebSocketFrameTests {
    private func read(
        _ bytes: [UInt8],
        chunk: Int = .max,
        limit: Int = 1 << 20,
        compression: WebSocketCompression? = nil
    ) throws -> [WebSocketReader.Item] {
        var reader = WebSocketReader(
            maximumMessageSize: limit, inflater: try compression.map { try #require(WebSocketInflater($0)) })
        var items: [WebSocketReader.Item] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(chunk))
            rest = rest.dropFirst(piece.count)
            try piece.withUnsafeBytes { try reader.read($0) { items.append($0) } }
        }
        return items
    }

    private func hex(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

    // RFC 6455 §5.7
    @Test(arguments: [1, 2, 3, .max])
    func `the examples of RFC 6455 are read`(chunk: Int) throws {
        #expect(try read(hex("81 05 48 65 6c 6c 6f"), chunk: chunk) == [.message(.string("Hello"))])
        #expect(try read(hex("01 03 48 65 6c 80 02 6c 6f"), chunk: chunk) == [.message(.string("Hello"))])
        #expect(try read(hex("89 05 48 65 6c 6c 6f"), chunk: chunk) == [.ping(Array("Hello".utf8))])
        let short = [UInt8](repeating: 7, count: 256)
        #expect(try read(hex("82 7e 01 00") + short, chunk: chunk) == [.message(.data(Data(short)))])
        let long = [UInt8](repeating: 9, count: 65536)
        let frame = hex("82 7f 00 00 00 00 00 01 00 00") + long
        #expect(try read(frame, chunk: chunk == 1 ? 100 : chunk) == [.message(.data(Data(long)))])
    }

    @Test func `control frames may come between fragments`() throws {
        let bytes = hex("01 01 61 89 01 70 00 01 62 8a 00 80 01 63 88 02 03 e8 81 01 78")
        #expect(
            try read(bytes) == [
                .ping(Array("p".utf8)), .pong([]), .message(.string("abc")), .close(.normalClosure, reason: Data()),
            ])
    }

    @Test func `empty messages and fragments are read`() throws {
        #expect(
            try read(hex("81 00 82 00 01 00 00 00 80 00")) == [
                .message(.string("")), .message(.data(Data())), .message(.string("")),
            ])
    }

    @Test(arguments: [
        ("c1 00", 1002, "without negotiated compression"), ("a1 00", 1002, "RSV2"), ("91 00", 1002, "RSV3"),
        ("83 00", 1002, "opcode 3"), ("87 00", 1002, "opcode 7"), ("8b 00", 1002, "opcode B"),
        ("8f 00", 1002, "opcode F"), ("81 80 00 00 00 00", 1002, "a mask"), ("09 00", 1002, "a fragmented ping"),
        ("08 00", 1002, "a fragmented close"), ("89 7e 00 7e", 1002, "a long ping"), ("88 7f", 1002, "a long close"),
        ("80 00", 1002, "a continuation of nothing"), ("01 00 81 00", 1002, "a message within another"),
        ("81 7e 00 7d", 1002, "a long form of 125"), ("82 7f 00 00 00 00 00 00 ff ff", 1002, "a long form of 65535"),
        ("82 7f 80 00 00 00 00 00 00 00", 1002, "the highest bit of a length"), ("88 01 03", 1002, "half of a code"),
        ("88 02 03 e7", 1002, "code 999"), ("88 02 03 ec", 1002, "code 1004"), ("88 02 03 ed", 1002, "code 1005"),
        ("88 02 03 ee", 1002, "code 1006"), ("88 02 03 f7", 1002, "code 1015"), ("88 02 0b b7", 1002, "code 2999"),
        ("88 02 13 88", 1002, "code 5000"), ("88 03 03 e8 ff", 1007, "a reason that is not UTF-8"),
        ("81 01 ff", 1007, "a text that is not UTF-8"), ("81 03 ed a0 80", 1007, "a surrogate"),
        ("81 02 c0 80", 1007, "an overlong form"), ("01 01 e2 80 01 82", 1007, "half of a character"),
        ("82 7e 04 01", 1009, "a message above the limit"),
    ])
    func `a protocol violation is an error with its close code`(bytes: String, code: Int, name: String) throws {
        let error = try? #require(throws: WebSocketError.self, "\(name)") { try read(hex(bytes), limit: 1024) }
        #expect(error?.closeCode?.rawValue == code, "\(name)")
    }

    @Test func `the size limit applies to all fragments of a message together`() throws {
        let fragment = WebSocketPeer.frame(0, [UInt8](repeating: 1, count: 600), isFinal: false)
        let error = #expect(throws: WebSocketError.self) { try read(hex("02 00") + fragment + fragment, limit: 1024) }
        #expect(error?.kind == .messageTooBig)
    }

    @Test(arguments: [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999])
    func `codes of Close frames are read`(code: Int) throws {
        let payload = [UInt8(code >> 8), UInt8(code & 0xFF)] + Array("späť".utf8)
        #expect(
            try read(WebSocketPeer.frame(8, payload)) == [
                .close(WebSocketCloseCode(rawValue: code), reason: Data("späť".utf8))
            ])
    }

    @Test func `bytes after a Close frame are ignored`() throws {
        #expect(try read(hex("88 00 ff ff ff")) == [.close(.noStatusReceived, reason: Data())])
    }

    // RFC 7692 §7.2.3
    @Test(arguments: [
        "c1 07 f2 48 cd c9 c9 07 00", "41 03 f2 48 cd 80 04 c9 c9 07 00", "c1 0b 00 05 00 fa ff 48 65 6c 6c 6f 00",
        "c1 08 f3 48 cd c9 c9 07 00 00", "c1 0d f2 48 05 00 00 00 ff ff ca c9 c9 07 00",
    ])
    func `the examples of RFC 7692 are decompressed`(bytes: String) throws {
        for chunk in [1, 4, .max] {
            let items = try read(hex(bytes), chunk: chunk, compression: WebSocketCompression())
            #expect(items == [.message(.string("Hello"))])
        }
    }

    @Test func `the inflate window is reused unless the server has no context takeover`() throws {
        let bytes = hex("c1 07 f2 48 cd c9 c9 07 00 c1 05 f2 00 11 00 00")
        let hello = WebSocketReader.Item.message(.string("Hello"))
        #expect(try read(bytes, compression: WebSocketCompression()) == [hello, hello])
        let forgetting = try #require(WebSocketCompression("permessage-deflate; server_no_context_takeover"))
        #expect(throws: WebSocketError.self) { try read(bytes, compression: forgetting) }
        #expect(
            try read(hex("c1 07 f2 48 cd c9 c9 07 00 81 02 6f 6b"), compression: forgetting) == [
                hello, .message(.string("ok")),
            ])
    }

    @Test func `a message that decompresses beyond the limit is rejected`() throws {
        let deflater = try #require(WebSocketDeflater(WebSocketCompression()))
        let compressed = [UInt8](repeating: 0, count: 50 << 20).withUnsafeBytes { deflater.deflate($0) }
        var frame = WebSocketPeer.frame(2, compressed)
        frame[0] |= 0x40
        let error = #expect(throws: WebSocketError.self) {
            try read(frame, chunk: 4096, compression: WebSocketCompression())
        }
        #expect(error?.closeCode == .messageTooBig)
    }

    @Test func `invalid compressed bytes are an error with close code 1007`() throws {
        let error = #expect(throws: WebSocketError.self) {
            try read(hex("c2 04 ff ff ff ff"), compression: WebSocketCompression())
        }
        #expect(error?.closeCode == .invalidFramePayloadData)
    }

    @Test(arguments: ["permessage-deflate", "permessage-deflate; client_no_context_takeover", "PERMESSAGE-DEFLATE"])
    func `compressed messages are decompressed`(parameters: String) throws {
        let compression = try #require(WebSocketCompression(Substring(parameters)))
        let deflater = try #require(WebSocketDeflater(compression))
        var bytes: [UInt8] = []
        var expected: [WebSocketReader.Item] = []
        var numbers = SeededNumbers(seed: 7)
        for size in [1, 64, 1000, 16384, 16385, 70_000, 1 << 20] {
            let message = (0..<size).map {
                UInt8(truncatingIfNeeded: $0 % 7 == 0 ? Int.random(in: 0...255, using: &numbers) : $0)
            }
            var frame = WebSocketPeer.frame(2, message.withUnsafeBytes { deflater.deflate($0) })
            frame[0] |= 0x40
            bytes += frame
            expected.append(.message(.data(Data(message))))
        }
        #expect(try read(bytes, chunk: 10_000, compression: compression) == expected)
    }

    @Test(arguments: [
        ("permessage-deflate", true), (" permessage-deflate ; server_max_window_bits=10", true),
        ("permessage-deflate; client_max_window_bits=\"9\"", true),
        ("permessage-deflate; client_max_window_bits", false),
        ("permessage-deflate; server_max_window_bits=7", false),
        ("permessage-deflate; server_max_window_bits=16", false),
        ("permessage-deflate; server_max_window_bits=08", false), ("permessage-deflate; server_max_window_bits", false),
        ("permessage-deflate; server_no_context_takeover=1", false), ("permessage-deflate; x", false),
        ("permessage-deflate; server_no_context_takeover; server_no_context_takeover", false), ("bzip", false),
        ("permessage-deflate; server_no_context_takeover=", false), ("permessage-deflate=", false),
        ("permessage-deflate;", false), ("", false),
    ])
    func `compression parameters are checked`(text: String, isValid: Bool) {
        #expect((WebSocketCompression(Substring(text)) != nil) == isValid)
    }

    @Test func `a window of 256 bytes disables the compression of sent messages`() throws {
        let parameters = try #require(WebSocketCompression("permessage-deflate; client_max_window_bits=8"))
        #expect(WebSocketDeflater(parameters) == nil)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 125, 126, 65535, 65536, 100_003])
    func `frames are masked`(size: Int) throws {
        let payload = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let frame = payload.withUnsafeBytes { WebSocketFrame.encode(.binary, $0, mask: 0x0403_0201) }
        let headerSize = size < 126 ? 2 : size < 65536 ? 4 : 10
        #expect(frame.count == headerSize + 4 + size)
        #expect(frame[0] == 0x82 && frame[1] & 0x80 != 0)
        #expect(Array(frame[headerSize..<headerSize + 4]) == [1, 2, 3, 4])
        let unmasked = frame[(headerSize + 4)...].enumerated().map { $1 ^ [1, 2, 3, 4][$0 & 3] }
        #expect(unmasked == payload)
        var plain = Array(frame[..<headerSize]) + payload
        plain[1] &= 0x7F
        #expect(try read(plain) == [.message(.data(Data(payload)))])
    }

    @Test func `masks differ`() {
        let frames = Set((0..<100).map { _ in Array("x".utf8).withUnsafeBytes { WebSocketFrame.encode(.text, $0) } })
        #expect(frames.count > 90)
    }
}

@Suite struct WebSocketHandshakeTests {
    private let request: HTTPHeaders = [
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": "chat, superchat",
        "Sec-WebSocket-Extensions": "permessage-deflate; client_max_window_bits",
    ]

    private func response(_ fields: String) -> HTTPURLResponse {
        HTTPURLResponse(
            url: nil, statusCode: 101,
            headers: HTTPHeaders(
                repeating: fields.split(separator: "\r\n").map { line in
                    let parts = line.split(separator: ": ", maxSplits: 1)
                    return HTTPHeader(name: String(parts[0]), value: String(parts[1]))
                }))
    }

    // RFC 6455 §1.3
    private let valid =
        "Upgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="

    @Test func `the example of RFC 6455 is accepted`() throws {
        #expect(
            try WebSocketHandshake.check(response(valid), request: request) == WebSocketHandshake.NegotiatedParameters()
        )
        let parameters = try WebSocketHandshake.check(
            response(valid + "\r\nSec-WebSocket-Protocol: chat\r\nSec-WebSocket-Extensions: permessage-deflate"),
            request: request)
        #expect(parameters.subprotocol == "chat" && parameters.compression == WebSocketCompression())
    }

    @Test(arguments: [
        ("Upgrade: WebSocket", "Upgrade: h2c"), ("Upgrade: WebSocket\r\n", ""), ("keep-alive, Upgrade", "keep-alive"),
        ("xOo=", "xOO="), ("Sec-WebSocket-Accept", "X-Accept"),
        ("Sec-WebSocket-Accept", "Sec-WebSocket-Protocol: other\r\nSec-WebSocket-Accept"),
        (
            "Sec-WebSocket-Accept",
            "Sec-WebSocket-Protocol: chat\r\nSec-WebSocket-Protocol: chat\r\nSec-WebSocket-Accept"
        ),
        ("Sec-WebSocket-Accept", "Sec-WebSocket-Extensions: x-unknown\r\nSec-WebSocket-Accept"),
        (
            "Sec-WebSocket-Accept",
            "Sec-WebSocket-Extensions: permessage-deflate, permessage-deflate\r\nSec-WebSocket-Accept"
        ),
    ])
    func `a response with a wrong or missing field is an invalid handshake`(text: String, other: String) throws {
        let error = #expect(throws: WebSocketError.self) {
            try WebSocketHandshake.check(response(valid.replacing(text, with: other)), request: request)
        }
        #expect(error?.kind == .invalidHandshake)
    }

    @Test func `compression that was not offered is rejected`() throws {
        var plain = request
        plain.remove(name: "Sec-WebSocket-Extensions")
        #expect(throws: WebSocketError.self) {
            try WebSocketHandshake.check(
                response(valid + "\r\nSec-WebSocket-Extensions: permessage-deflate"), request: plain)
        }
    }

    @Test func `keys are random and have 16 bytes`() throws {
        let keys = Set((0..<100).map { _ in WebSocketHandshake.newKey() })
        #expect(keys.count == 100)
        #expect(keys.allSatisfy { Data(base64Encoded: $0)?.count == 16 })
    }
}
