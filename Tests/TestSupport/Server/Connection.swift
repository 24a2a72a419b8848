internal import Glibc

extension LocalServer {
    /// An accepted connection, for the script that serves it.
    ///
    /// It may be used only on the script's thread, and is closed when the script returns.
    public final class Connection {
        /// The number in the order of acceptance, starting with 1.
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

        /// Sends the bytes; blocks while the buffers are full.
        public func send(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes { try socket.send($0) }
        }

        /// Sends the text as UTF-8; blocks while the buffers are full.
        public func send(_ text: String) throws {
            try send(Array(text.utf8))
        }

        /// Sends the text in chunks with a pause after each, so that the peer receives them one by one.
        public func sendSlowly(_ text: String, pieces size: Int = 1, every pause: Duration = .milliseconds(2)) throws {
            try sendSlowly(Array(text.utf8), pieces: size, every: pause)
        }

        /// Sends the bytes in chunks with a pause after each, so that the peer receives them one by one.
        public func sendSlowly(_ bytes: [UInt8], pieces size: Int = 1, every pause: Duration = .milliseconds(2)) throws
        {
            for start in stride(from: 0, to: bytes.count, by: size) {
                try send(Array(bytes[start..<min(start + size, bytes.count)]))
                usleep(UInt32(pause / .microseconds(1)))
            }
        }

        /// Returns at most a number of bytes; empty at the end of the stream.
        public func receive(atMost count: Int) throws -> [UInt8] {
            if received.isEmpty { _ = try fill(atMost: count) }
            return take(count)
        }

        /// Blocks until the test opens the gate.
        ///
        /// - Throws: ``ConnectionLost`` if the server is stopped meanwhile, ``DeadlinePassed`` at the limit.
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
            /// The peer closed its sending side.
            case closed
            /// The peer reset the connection.
            case reset
        }

        /// Blocks until the peer closes or resets the connection, or the server is stopped; discards received bytes.
        ///
        /// - Throws: ``DeadlinePassed`` at the limit.
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

        /// Blocks until the peer's system has received all sent bytes.
        ///
        /// - Throws: ``DeadlinePassed`` at the limit.
        public func waitUntilDelivered(within limit: Duration = Deadline.timeout) throws {
            let deadline = Deadline.after(limit)
            while socket.hasUndeliveredBytes {
                guard !deadline.hasPassed else {
                    throw deadline.failure("connection \(number) has delivered its bytes")
                }
                usleep(1000)
            }
        }

        /// Closes the sending side; the peer may still send.
        public func finishSending() {
            socket.shutdown(Int32(SHUT_WR))
        }

        /// Closes the connection normally.
        ///
        /// If the script has not received all bytes of the peer, TCP sends a reset instead.
        public func close() {
            socket.close()
        }

        /// Closes the connection with a TCP reset; bytes in transit may be lost.
        public func reset() {
            socket.closeWithReset()
        }

        /// Receives bytes up to and including the next `\n`, or up to the end of the stream.
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

        /// Waits for bytes and appends them to the buffer; returns 0 at the end of the stream.
        private func fill(atMost count: Int) throws -> Int {
            let piece = try [UInt8](unsafeUninitializedCapacity: min(count, chunkSize)) { buffer, filled in
                filled = try socket.receive(into: UnsafeMutableRawBufferPointer(buffer))
            }
            received += piece
            return piece.count
        }
    }
}
