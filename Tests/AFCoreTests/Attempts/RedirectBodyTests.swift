import AFCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct RedirectBodyTests {
    @Test func `decoded bodies of redirects are reported to observers`() async throws {
        let packed: [UInt8] = [
            0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x4b, 0x4c, 0x4a, 0x06, 0, 0xc2, 0x41, 0x24, 0x35, 0x03, 0, 0, 0,
        ]
        let head =
            "HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n"
        let server = try LocalServer { request in
            switch request.path {
            case "/": .raw(Array(head.utf8) + packed)
            case "/b": .status(307, "second").header("Location", "/c")
            default: .ok("the end")
            }
        }
        let seen = Mutex<[UInt8]>([])
        var configuration = SessionConfiguration()
        configuration.eventHandler = TransferEventHandler([.redirectBody]) { event in
            seen.withLock { $0 += event.bytes }
        }
        let session = Session(configuration: configuration)
        #expect(try await session.request(server.url()).serializingString().value == "the end")
        #expect(String(decoding: seen.withLock { $0 }, as: UTF8.self) == "abcsecond")
    }
}
