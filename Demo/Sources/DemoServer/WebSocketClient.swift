import NIOCore
import NIOHTTP1
import NIOWebSocket

/// A WebSocket connection: `/chat` sends each message back until the client closes, `/ticks` sends three events and closes.
struct WebSocketClient: Sendable {
    private static let paths = ["/chat", "/ticks"]

    private let channel: NIOAsyncChannel<WebSocketFrame, WebSocketFrame>
    private let path: Substring

    init(_ channel: any Channel, path: String) throws {
        self.channel = try NIOAsyncChannel(wrappingChannelSynchronously: channel)
        self.path = path.prefix { $0 != "?" }
    }

    /// Whether a request is for one of these endpoints.
    static func accepts(_ head: HTTPRequestHead) -> Bool { paths.contains(String(head.uri.prefix { $0 != "?" })) }

    func serve() async throws {
        try await channel.executeThenClose { frames, output in
            if path == "/ticks" {
                for number in 1...3 {
                    let event = ByteBuffer(string: #"{"event": "tick", "number": \#(number)}"#)
                    try await output.write(WebSocketFrame(fin: true, opcode: .text, data: event))
                }
                try await output.write(Self.close)
            }
            for try await frame in frames {
                switch frame.opcode {
                case .connectionClose:
                    if path == "/chat" { try await output.write(Self.close) }
                    return
                case .ping:
                    try await output.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
                case .text, .binary, .continuation:
                    guard path == "/chat" else { break }
                    try await output.write(
                        WebSocketFrame(fin: frame.fin, opcode: frame.opcode, data: frame.unmaskedData))
                default: break
                }
            }
        }
    }

    /// A Close frame with the code 1000.
    private static var close: WebSocketFrame {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .normalClosure)
        return WebSocketFrame(fin: true, opcode: .connectionClose, data: code)
    }
}
