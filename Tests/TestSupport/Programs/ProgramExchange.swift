internal import Glibc

/// The data exchanged between a test and its program.
struct ProgramExchange {
    /// The output of the program so far.
    struct Captured {
        var output: [UInt8] = []
        var errors: [UInt8] = []
        var screen: [UInt8] = []
    }

    var streams: ProgramStreams
    private(set) var captured = Captured()
    var sampledPeak = 0
    /// The result; `nil` until the program has ended and was reaped.
    var result: ProgramResult?
    private var pendingInput: [UInt8] = []
    private var sentInput = 0
    private var inputEnds = false

    init(streams: ProgramStreams, input: Program.Input) {
        self.streams = streams
        if case .bytes(let bytes) = input { (pendingInput, inputEnds) = (bytes, true) }
    }

    mutating func queue(_ bytes: [UInt8]) {
        pendingInput.removeFirst(sentInput)
        sentInput = 0
        pendingInput += bytes
    }

    mutating func endInput() {
        inputEnds = true
    }

    /// Writes pending input without blocking, and closes the pipe after the end of the input.
    mutating func feedInput() {
        guard let descriptor = streams.input ?? streams.screen else { return }
        while sentInput < pendingInput.count {
            let count = pendingInput[sentInput...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                sentInput += count
            } else if errno == EAGAIN {
                return
            } else {
                // The program has closed its input, which is not an error of the test.
                (pendingInput, sentInput, inputEnds) = ([], 0, true)
            }
        }
        if inputEnds { streams.closeInput() }
    }

    /// Reads one chunk of each stream; returns `false` if there was none.
    mutating func collect() -> Bool {
        let counts = [
            collect(\.output, into: \.output),
            collect(\.errors, into: \.errors),
            collect(\.screen, into: \.screen),
        ]
        return counts.contains { $0 > 0 }
    }

    private mutating func collect(
        _ stream: WritableKeyPath<ProgramStreams, Int32?>,
        into place: WritableKeyPath<Captured, [UInt8]>
    ) -> Int {
        guard let descriptor = streams[keyPath: stream] else { return 0 }
        var isOver = false
        let piece = [UInt8](unsafeUninitializedCapacity: 64 << 10) { buffer, filled in
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            isOver = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
            filled = max(0, count)
        }
        if isOver {
            // An open descriptor at its end would always be ready, so the thread would spin.
            close(descriptor)
            streams[keyPath: stream] = nil
        }
        captured[keyPath: place] += piece
        return piece.count
    }
}
