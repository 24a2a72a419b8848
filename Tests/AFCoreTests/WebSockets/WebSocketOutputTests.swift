import AFCore
import AFTransport
import FoundationEssentials
import Synchronization
import Testing

@testable import AFWebSockets

struct WebSocketOutputTests {
    private func message(_ text: String) -> WebSocketOutput.PendingMessage {
        WebSocketOutput.PendingMessage(message: .string(text)) { _ in }
    }

    /// An output after the handshake.
    private func opened() -> WebSocketOutput {
        var output = WebSocketOutput()
        _ = output.open()
        return output
    }

    // Messages

    @Test func `a message waits for the handshake, and is encoded after it`() throws {
        var output = WebSocketOutput()
        #expect(output.send(message("a")).name == "wait")
        #expect(output.send(message("bcd")).name == "wait")
        #expect(!output.isOpen)
        let opened = output.open()
        let waiting = try #require(opened)
        #expect(output.isOpen)
        #expect(waiting.first.text == "a")
        #expect(waiting.size == 4)
        #expect(output.encoded([1]).next?.text == "bcd")
        #expect(output.encoded([2]).next == nil)
        #expect(output.readAll() == [1, 2])
    }

    @Test func `nothing is encoded after a handshake without messages`() {
        var output = WebSocketOutput()
        #expect(output.open() == nil)
        #expect(output.send(message("a")).name == "encode a")
    }

    @Test func `one caller at a time encodes, and messages are sent in their order`() {
        var output = opened()
        #expect(output.send(message("a")).name == "encode a")
        #expect(output.send(message("b")).name == "wait")
        #expect(output.readAll() == [])
        #expect(output.encoded([1, 1]).next?.text == "b")
        #expect(output.send(message("c")).name == "wait")
        #expect(output.readAll() == [1, 1])
        #expect(output.encoded([2]).next?.text == "c")
        #expect(output.encoded([3]).next == nil)
        #expect(output.send(message("d")).name == "encode d")
        #expect(output.readAll() == [2, 3])
    }

    @Test func `a message is sent when its last byte was read`() {
        var output = opened()
        output.add(message("a"), as: [1, 2, 3])
        output.add(message("b"), as: [4])
        let first = output.read(2)
        #expect(first.bytes == [1, 2])
        #expect(first.reading.sent.isEmpty)
        #expect(first.reading.hasMessage)
        let second = output.read(8)
        #expect(second.bytes == [3, 4])
        #expect(second.reading.sent.map(\.text) == ["a", "b"])
    }

    // Control frames

    @Test func `a pong, pings and messages are sent in this order, between frames`() {
        var output = opened()
        output.add(message("a"), as: [1, 1])
        output.add(message("b"), as: [2, 2])
        #expect(output.read(1).bytes == [1])
        #expect(output.ping([8]).isSent)
        #expect(output.ping([9]).isSent)
        _ = output.pong([7])
        #expect(output.readAll() == [1, 7, 8, 9, 2, 2])
    }

    @Test func `only the latest pong is sent, and it is no message`() {
        var output = opened()
        _ = output.pong([6])
        _ = output.pong([7])
        let read = output.read(8)
        #expect(read.bytes == [7])
        #expect(!read.reading.hasMessage)
    }

    @Test func `a ping is refused before the handshake and after the Close frame`() {
        var output = WebSocketOutput()
        #expect(!output.ping([8]).isSent)
        _ = output.open()
        #expect(output.ping([8]).isSent)
        _ = output.close([0], isImmediate: false)
        #expect(!output.ping([9]).isSent)
        _ = output.pong([7])
        #expect(output.readAll() == [8, 0])
    }

    @Test func `a ping is delayed while other bytes are sent before it`() {
        var output = opened()
        output.add(message("a"), as: Array(repeating: 1, count: 10))
        _ = output.read(1)
        _ = output.ping([8])
        #expect(output.isPingDelayed() == true)
        #expect(output.isPingDelayed() == false)
        _ = output.read(1)
        #expect(output.isPingDelayed() == true)
        #expect(output.readAll().last == 8)
        // The pong cannot have been received when the ping has just been sent.
        #expect(output.isPingDelayed() == true)
        #expect(output.isPingDelayed() == false)
    }

    // The Close frame

    @Test func `the Close frame follows the messages, and the body ends after it`() {
        var output = opened()
        output.add(message("a"), as: [1])
        #expect(output.close([0], isImmediate: false).dropped.isEmpty)
        #expect(output.isClosing)
        #expect(output.send(message("b")).name == "fail")
        #expect(output.readAll() == [1, 0])
        #expect(output.read(8).reading.result == .end)
    }

    @Test func `the Close frame follows a message that is being encoded`() {
        var output = opened()
        _ = output.send(message("a"))
        _ = output.send(message("b"))
        _ = output.close([0], isImmediate: false)
        #expect(output.read(8).reading.result == .notYet)
        #expect(output.encoded([1]).next?.text == "b")
        #expect(output.readAll() == [1])
        #expect(output.encoded([2]).next == nil)
        #expect(output.readAll() == [2, 0])
        #expect(output.read(8).reading.result == .end)
    }

    @Test func `an immediate Close frame follows the current frame, and drops the messages behind it`() {
        var output = opened()
        output.add(message("a"), as: [1, 1])
        output.add(message("b"), as: [2])
        _ = output.send(message("c"))
        _ = output.send(message("d"))
        #expect(output.read(1).bytes == [1])
        #expect(output.close([0], isImmediate: true).dropped.map(\.text) == ["b", "c", "d"])
        #expect(output.encoded([3]).next == nil)
        #expect(output.readAll() == [1, 0])
        #expect(output.read(8).reading.result == .end)
    }

    @Test func `a second Close frame has no effect`() {
        var output = opened()
        _ = output.close([0], isImmediate: false)
        #expect(output.close([9], isImmediate: true).dropped.isEmpty)
        #expect(output.readAll() == [0])
    }

    // The end of an attempt

    @Test func `messages that were not read completely are taken, in their order, and later ones are rejected`() {
        var output = opened()
        output.add(message("a"), as: [1])
        output.add(message("b"), as: [2, 2])
        output.add(message("c"), as: [3])
        _ = output.send(message("d"))
        _ = output.send(message("e"))
        _ = output.read(2)
        #expect(output.takeUnsent().map(\.text) == ["b", "c", "d", "e"])
        #expect(output.takeUnsent().isEmpty)
        #expect(output.send(message("f")).name == "reject")
        #expect(output.encoded([4]).next == nil)
        #expect(output.read(8).reading.result == .end)
    }

    @Test func `messages that wait for the handshake are taken`() {
        var output = WebSocketOutput()
        _ = output.send(message("a"))
        _ = output.send(message("b"))
        #expect(output.takeUnsent().map(\.text) == ["a", "b"])
        #expect(output.open() == nil)
    }

    // The transport

    @Test func `a transport that waits is informed once by each kind of frame`() {
        for kind in ["message", "ping", "pong", "close"] {
            let calls = Mutex(0)
            var output = opened()
            #expect(output.read(8) { calls.withLock { $0 += 1 } }.reading.result == .notYet)
            var wake: WebSocketOutput.Wake?
            switch kind {
            case "message":
                _ = output.send(message("a"))
                wake = output.encoded([1]).wake
            case "ping": wake = output.ping([1]).wake
            case "pong": wake = output.pong([1])
            default: wake = output.close([1], isImmediate: false).wake
            }
            wake?()
            #expect(calls.withLock { $0 } == 1, "\(kind)")
            #expect(output.pong([2]) == nil)
        }
    }

    @Test func `an output can be sent again unless bytes were asked for`() {
        var output = opened()
        #expect(output.isUnread)
        _ = output.read(8)
        #expect(!output.isUnread)
    }
}

extension WebSocketOutput {
    /// Adds a message that is encoded as bytes.
    fileprivate mutating func add(_ message: PendingMessage, as frame: [UInt8]) {
        _ = send(message)
        _ = encoded(frame)
    }

    fileprivate mutating func read(
        _ count: Int,
        whenReady: @escaping Wake = {}
    ) -> (reading: Reading, bytes: [UInt8]) {
        var bytes = [UInt8](repeating: 0, count: count)
        let reading = bytes.withUnsafeMutableBytes { read(into: $0, whenReady: whenReady) }
        guard case .bytes(let length) = reading.result else { return (reading, []) }
        return (reading, Array(bytes[..<length]))
    }

    fileprivate mutating func readAll() -> [UInt8] { read(1000).bytes }
}

extension WebSocketOutput.PendingMessage {
    fileprivate var text: String { if case .string(let text) = message { text } else { "" } }
}

extension WebSocketOutput.SendAction {
    fileprivate var name: String {
        switch self {
        case .encode(let message): "encode \(message.text)"
        case .wait: "wait"
        case .fail: "fail"
        case .reject: "reject"
        }
    }
}
