internal import AFCore
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// Sends standard input over a WebSocket connection: a message for each line, or binary messages as data arrives.
///
/// Blocks its thread. A slow server holds the reader back.
struct MessageInput {
    let descriptor: Int32
    let isBinary: Bool

    /// The number of slots for messages that wait to be sent: one for each, and one for each 16 KiB of it.
    private static let maximumPending = 64
    private static let bytesPerSlot = 16 * 1024
    private static let chunkSize = 64 * 1024
    /// The maximum number of bytes of a line.
    private static let longestLine = 64 << 20

    /// Sends messages until the end of the input or of the connection.
    ///
    /// - Throws: ``FileProblem`` if the input cannot be read or is not text.
    func send(over request: WebSocketRequest, willSend: () -> Void) throws(FileProblem) -> Bool {
        let slots = DispatchSemaphore(value: Self.maximumPending)
        let isOver = Atomic(false)
        func send(_ message: WebSocketMessage) {
            let count = min(Self.maximumPending, 1 + message.count / Self.bytesPerSlot)
            for _ in 0..<count { slots.wait() }
            willSend()
            request.send(message, queue: Self.queue) { result in
                if case .failure = result { isOver.store(true, ordering: .relaxed) }
                for _ in 0..<count { slots.signal() }
            }
        }
        defer {
            // A semaphore must have its initial value when it is released.
            for _ in 0..<Self.maximumPending { slots.wait() }
            for _ in 0..<Self.maximumPending { slots.signal() }
        }
        var line: [UInt8] = []
        while !isOver.load(ordering: .relaxed) {
            let chunk = try FileAccess.readChunk(descriptor, path: "-", size: Self.chunkSize, waits: nil)
            if chunk.isEmpty {
                if !line.isEmpty { send(try text(line)) }
                return true
            }
            guard !isBinary else {
                send(.data(Data(chunk)))
                continue
            }
            var rest = chunk[...]
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                line += rest[..<end]
                rest = rest[(end + 1)...]
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                send(try text(line))
                line = []
            }
            line += rest
            guard line.count <= Self.longestLine else {
                throw FileProblem(path: "-", reason: .other("a line is longer than 64 MiB"), hint: "use --binary")
            }
        }
        return false
    }

    private static let queue = DispatchQueue(label: "afcli.messages")

    private func text(_ line: [UInt8]) throws(FileProblem) -> WebSocketMessage {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FileProblem(path: "-", reason: .isNotUTF8, hint: "use --binary")
        }
        return .string(text)
    }
}
