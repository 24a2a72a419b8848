@testable import AFWebSockets

/// The frames of a WebSocket server.
extension FuzzTarget {
    static let webSockets = [
        FuzzTarget("websocket-frames", longest: 4096) { bytes in check(bytes, compression: nil) },
        FuzzTarget("websocket-deflate", longest: 4096) { bytes in check(bytes, compression: WebSocketCompression()) },
        FuzzTarget(text: "websocket-extension", longest: 256) { text in
            guard let terms = WebSocketCompression(Substring(text)) else { return }
            require((8...15).contains(terms.clientWindowBits), "the window is one of zlib's")
        },
    ]

    private static let limit = 1 << 16

    private static func check(_ bytes: [UInt8], compression: WebSocketCompression?) {
        let whole = read(bytes, chunk: .max, compression)
        require(whole == read(bytes, chunk: 1, compression), "single bytes are read as one")
        for case .message(let message) in whole.items {
            require(message.count <= limit, "no message is above the limit")
        }
        guard case .close? = whole.items.last else { return }
        require(read(bytes + [0xFF], chunk: .max, compression) == whole, "nothing is read after a Close frame")
    }

    private static func read(_ bytes: [UInt8], chunk: Int, _ compression: WebSocketCompression?) -> ReadFrames {
        var reader = WebSocketReader(
            maximumMessageSize: limit, inflater: compression.flatMap(WebSocketInflater.init))
        var result = ReadFrames()
        var rest = bytes[...]
        do {
            while !rest.isEmpty {
                let piece = Array(rest.prefix(chunk))
                rest = rest.dropFirst(piece.count)
                try piece.withUnsafeBytes { try reader.read($0) { result.items.append($0) } }
            }
        } catch {
            result.failure = error as? WebSocketError
        }
        return result
    }

    private struct ReadFrames: Equatable {
        var items: [WebSocketReader.Item] = []
        var failure: WebSocketError?
    }
}
