internal import Glibc

extension LocalServer {
    /// One accepted connection, in the hands of the script that serves it.
    ///
    /// It belongs to the thread that runs the script. When the script returns it is closed.
    public final class Connection {
        /// Counted from 1 in the order of acceptance.
        public let number: Int

        let socket: ConnectionSocket
        let log: RequestLog
        private var received: [UInt8] = []
        private let chunkSize = 64 << 10

        init(number: Int, socket: ConnectionSocket, log: RequestLog) {
            self.number = number
            self.socket = socket
            self.log = log
        }

        /// Sends the bytes, waiting for room as long as it takes.
        public func send(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { try socket.send($0) }
        }

        /// Sends the text as UTF-8, waiting for room as long as it takes.
        public func send(_ text: String) throws {
            try send(Array(text.utf8))
        }

        /// Sends the text in pieces with a rest after each, so that the peer receives them one by one.
        public func sendSlowly(_ text: String, pieces size: Int = 1, every pause: Duration = .milliseconds(2)) throws {
            try sendSlowly(Array(text.utf8), pieces: size, every: pause)
        }

        /// Sends the bytes in pieces with a rest after each, so that the peer receives them one by one.
        public func sendSlowly(_ bytes: [UInt8], pieces size: Int = 1, every pause: Duration = .milliseconds(2)) throws
        {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try send(Array(bytes[start..<min(start + size, bytes.count)]))
                usleep(UInt32(pause / .microseconds(1)))
            }
        }

        /// Returns the next bytes up to a count; empty at the end of the stream.
        public func receive(atMost count: Int) throws -> [UInt8] {
            if received.isEmpty { _ = try fill(atMost: count) }
            return take(count)
        }

        /// Blocks until a test opens the gate.
        ///
        /// - Throws: ``ConnectionLost`` if the server is stopped meanwhile, ``DeadlinePassed`` if the gate stays
        ///   closed.
        public func wait(for gate: Gate, within limit: Duration = Deadline.timeout) throws {
            let deadline = Deadline.after(limit)
            while !gate.isOpen {
                guard !socket.isInterrupted else { throw ConnectionLost(errorNumber: ECANCELED) }
                guard !deadline.hasPassed else { throw deadline.failure("the gate is open") }
                gate.block(atMost: .milliseconds(10))
            }
        }

        /// How a connection ended.
        public enum Ending: Sendable {
            /// The peer has nothing more to send.
            case closed
            /// The peer threw the connection away.
            case reset
        }

        /// Blocks until the peer closes or resets the connection, or the server is stopped; what arrives is dropped.
        ///
        /// - Throws: ``DeadlinePassed`` when the peer does neither.
        @discardableResult
        public func waitForClose(within limit: Duration = Deadline.timeout) throws -> Ending {
            let deadline = Deadline.after(limit)
            do {
                while try socket.isReadable(within: deadline.remaining) {
                    received.removeAll()
                    if try fill(atMost: chunkSize) == 0 { return .closed }
                }
            } catch let lost as ConnectionLost {
                return lost.wasReset ? .reset : .closed
            }
            throw deadline.failure("the peer closes connection \(number)")
        }

        /// Says that nothing more will be sent; the peer may still send.
        public func finishSending() {
            socket.shutdown(Int32(SHUT_WR))
        }

        /// Closes the connection in order.
        ///
        /// Bytes that the peer has sent and the script has not received turn this into a reset, as always in TCP.
        public func close() {
            socket.close()
        }

        /// Closes the connection with a TCP reset; what was sent and is still under way may be lost.
        public func reset() {
            socket.closeWithReset()
        }

        /// Takes bytes up to and including the first `\n`; what is left when the peer closes before it.
        func receiveLine() throws -> [UInt8] {
            var searched = 0
            while true {
                if let end = received[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(end + 1) }
                searched = received.count
                if try fill(atMost: chunkSize) == 0 { return take(received.count) }
            }
        }

        private func take(_ count: Int) -> [UInt8] {
            guard count < received.count else {
                defer { received = [] }
                return received
            }
            defer { received.removeFirst(count) }
            return Array(received.prefix(count))
        }

        /// Waits for bytes and adds them to what is there; zero at the end of the stream.
        private func fill(atMost count: Int) throws -> Int {
            let piece = try [UInt8](unsafeUninitializedCapacity: min(count, chunkSize)) { buffer, filled in
                filled = try socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
            }
            received += piece
            return piece.count
        }
    }
}
