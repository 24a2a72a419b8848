internal import AFFormatting
internal import Dispatch
internal import Synchronization

/// Writes the outputs of concurrent runs in the order of the runs.
///
/// The output of the first run that has not ended is written immediately. Those of later ones are buffered.
final class OrderedOutput: Sendable {
    private struct State {
        /// The run whose output is written.
        var current = 0
        var buffers: [Int: [UInt8]] = [:]
        var ended: Set<Int> = []
        /// The runs whose buffers are full.
        var waiting: [Int: DispatchSemaphore] = [:]
        var failure: OutputFailure?
    }

    /// The maximum number of buffered bytes of a run, which then waits for its turn.
    static let bufferLimit = 8 << 20

    private let output: any ByteOutput
    private let state = Mutex(State())

    init(_ output: any ByteOutput) { self.output = output }

    /// Returns the output of a run.
    func part(_ index: Int) -> any ByteOutput { Part(index, of: self) }

    /// Ends the output of a run, and writes the buffered ones that are next.
    ///
    /// - Returns: The reason why the output accepts no more bytes; `nil` if it does.
    func end(_ index: Int) -> OutputFailure? {
        state.withLock { state in
            state.ended.insert(index)
            while state.ended.remove(state.current) != nil {
                state.current += 1
                let bytes = state.buffers.removeValue(forKey: state.current) ?? []
                do throws(OutputFailure) {
                    try output.endLine()
                    // Only this accessor rethrows typed errors.
                    try bytes.withUnsafeBufferPointer { (bytes) throws(OutputFailure) in
                        if !bytes.isEmpty, state.failure == nil { try output.write(UnsafeRawBufferPointer(bytes)) }
                    }
                } catch {
                    state.failure = error
                }
                state.waiting.removeValue(forKey: state.current)?.signal()
            }
            return state.failure
        }
    }

    /// Lets all runs write at once, so that none waits for its turn.
    func release() {
        let waiting = state.withLock { state in
            state.failure = state.failure ?? .closed
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for semaphore in waiting { semaphore.signal() }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, of index: Int) throws(OutputFailure) {
        while let turn = try add(bytes, of: index) { turn.wait() }
    }

    /// Writes or buffers bytes.
    ///
    /// - Returns: A semaphore to wait for before the bytes can be added; `nil` if they were.
    private func add(_ bytes: UnsafeRawBufferPointer, of index: Int) throws(OutputFailure) -> DispatchSemaphore? {
        try state.withLock { (state) throws(OutputFailure) -> DispatchSemaphore? in
            if let failure = state.failure { throw failure }
            if state.current == index {
                try output.write(bytes)
                return nil
            }
            guard state.buffers[index, default: []].count < Self.bufferLimit else {
                let turn = DispatchSemaphore(value: 0)
                state.waiting[index] = turn
                return turn
            }
            state.buffers[index, default: []] += bytes
            return nil
        }
    }

    private func endLine(of index: Int) throws(OutputFailure) {
        try state.withLock { (state) throws(OutputFailure) in
            if state.current == index { return try output.endLine() }
            if let last = state.buffers[index]?.last, last != UInt8(ascii: "\n") {
                state.buffers[index]?.append(UInt8(ascii: "\n"))
            }
        }
    }

    private final class Part: ByteOutput {
        private let index: Int
        private let all: OrderedOutput

        init(_ index: Int, of all: OrderedOutput) { (self.index, self.all) = (index, all) }

        func write(_ bytes: UnsafeRawBufferPointer) throws(OutputFailure) { try all.write(bytes, of: index) }

        func endLine() throws(OutputFailure) { try all.endLine(of: index) }
    }
}
