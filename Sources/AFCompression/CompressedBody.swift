internal import AFRequests
internal import AFTransport
internal import Synchronization

/// A body that is compressed chunk by chunk, as the transport reads it.
final class CompressedBody: BodyStream, BodyConverter {
    private enum Chunk: Sendable {
        case bytes([UInt8])
        case notYet
        case end
    }

    private struct State: OrderedState {
        static var runsProgram: Bool { true }

        var reader: BodyReader?
        let compressor: any Compressor
        var input = [UInt8](repeating: 0, count: 64 * 1024)
        /// The range of bytes that were read and not yet compressed.
        var unused = 0..<0
        var isRead = false
        var isDone = false

        /// Returns the next compressed bytes.
        ///
        /// - Parameter capacity: The maximum number of bytes.
        mutating func next(
            _ source: BodySource,
            capacity: Int,
            whenReady: @escaping @Sendable () -> Void
        ) throws -> Chunk {
            // Highly compressible data produces no output for a long time: the limit lets other transfers proceed.
            for _ in 0..<8 {
                if isDone { return .end }
                if unused.isEmpty, !isRead, try fill(source, whenReady) == .notYet { return .notYet }
                let bytes = try compress(capacity)
                if !bytes.isEmpty { return .bytes(bytes) }
            }
            whenReady()
            return .notYet
        }

        private mutating func compress(_ capacity: Int) throws -> [UInt8] {
            try [UInt8](unsafeUninitializedCapacity: capacity) { output, count in
                let step = try input.withUnsafeBytes { input in
                    try compressor.compress(
                        UnsafeRawBufferPointer(rebasing: input[unused]),
                        isLast: isRead,
                        into: UnsafeMutableRawBufferPointer(output)
                    )
                }
                unused = (unused.lowerBound + step.taken)..<unused.upperBound
                isDone = step.isDone
                count = step.made
            }
        }

        private mutating func fill(
            _ source: BodySource,
            _ whenReady: @escaping @Sendable () -> Void
        ) throws -> BodyRead {
            var reader = if let reader { reader } else { try BodyReader(source) }
            defer { self.reader = reader }
            let read = try input.withUnsafeMutableBytes { try reader.read(into: $0, whenReady: whenReady) }
            switch read {
            case .bytes(let count): unused = 0..<count
            case .notYet: break
            case .end: isRead = true
            }
            return read
        }

        mutating func rewind() -> Bool {
            if var rewound = reader {
                guard rewound.rewind() else { return false }
                reader = rewound
            }
            compressor.reset()
            (unused, isRead, isDone) = (0..<0, false, false)
            return true
        }
    }

    /// The source of the uncompressed bytes.
    let source: BodySource
    private let state: OrderedMutex<State>

    init(_ source: BodySource, with compressor: sending any Compressor) {
        self.source = source
        state = OrderedMutex(State(compressor: compressor))
    }

    func read(
        into buffer: UnsafeMutableRawBufferPointer,
        whenReady: @escaping @Sendable () -> Void
    ) throws -> BodyRead {
        switch try state.withLock({ try $0.next(source, capacity: buffer.count, whenReady: whenReady) }) {
        case .notYet: return .notYet
        case .end: return .end
        case .bytes(let bytes):
            buffer.copyBytes(from: bytes)
            return .bytes(bytes.count)
        }
    }

    func rewind() -> Bool { state.withLock { $0.rewind() } }
}
