internal import AFHTTP
internal import AFTransport

/// The file of an attempt, from the header of its response to the complete file or a failure.
///
/// A value without locks, disk access and callbacks: methods report events and return what follows, so that tests can check
/// each transition.
///
///     waiting ─► choosing ─► buffering ─► draining ─► writing ─► closed ─► ended
///                   │                                                        ▲
///                   └─────────────── the existing file is kept ──────────────┘
///
/// Every state but `closed` and `ended` may be followed by `failed`.
enum DownloadFile<Writer: Sendable, Segments: Sendable>: Sendable {
    /// There is no response yet.
    case waiting
    /// The destination is being chosen; the body is buffered, or waits for the decision whether it is decoded.
    case choosing(Choosing)
    /// The body is buffered: it may arrive in one chunk, or its file is being created.
    case buffering(PendingFile, BodyBuffer, PendingFile.Destination)
    /// The file is created, and the buffered bytes are being written to it.
    case draining(BodyBuffer, Output)
    /// Bytes are written as they are received.
    case writing(Output)
    /// The file has failed; if it was created, it keeps its bytes.
    case failed(Failure, Output?)
    /// The attempt has ended, and its file is not complete.
    case closed
    /// The complete file is at this path: the new one, or the existing one that is kept.
    case ended(String)

    /// A response whose destination is not known yet.
    struct Choosing: Sendable {
        let pending: PendingFile
        var buffer: BodyBuffer
        /// Whether the destination is chosen after the end of the body, and has not been asked for.
        var isLate: Bool
        var isDecodingAwaited = false
    }

    /// The file that is being written.
    struct Output: Sendable {
        let writer: Writer
        /// Whether the content codings of the body are decoded.
        let isDecoded: Bool
        /// The transfers that share the file; `nil` for a sequential download.
        var segments: Segments?
    }

    struct Failure: Sendable {
        let cause: DownloadFailure
        /// The destination, if it is the cause.
        let unusableDestination: String?
    }

    /// The use of received bytes.
    enum Receipt: Sendable {
        case buffered
        /// They are buffered, but do not complete the body as its only chunk: the file has to be created.
        case split
        /// The transfer pauses, as there is no space.
        case pause
        case write(Output)
        /// They are not needed.
        case stop
    }

    /// The actions after the choice of a destination.
    struct Choice: Equatable {
        /// Whether the body waited for it.
        let isAwaited: Bool
        /// Whether the file has to be created now, not after the end of the body.
        let createsFile: Bool
    }

    /// The next step of writing the buffered bytes.
    enum Draining: Equatable {
        case write([UInt8])
        /// Further bytes go to the file.
        case done(isPaused: Bool)
    }

    // The header

    /// Handles the final response's header.
    ///
    /// - Parameter isLate: Whether the destination is chosen after the end of the body.
    mutating func begin(_ pending: PendingFile, _ buffer: BodyBuffer, isLate: Bool = false) {
        self = .choosing(Choosing(pending: pending, buffer: buffer, isLate: isLate))
    }

    /// Returns the response whose destination is to be chosen now, once; `nil` if it is known or was asked for.
    mutating func takeLate() -> PendingFile? {
        guard case .choosing(var choosing) = self, choosing.isLate else { return nil }
        choosing.isLate = false
        self = .choosing(choosing)
        return choosing.pending
    }

    /// Returns whether the body is decoded; `nil` if it has to wait for the choice of the destination.
    mutating func decodesBody() -> Bool? {
        switch self {
        // The rest of a file has its coding, and is not decoded either.
        case .choosing(let choosing) where choosing.pending.isRest: return false
        case .choosing(var choosing):
            choosing.isDecodingAwaited = true
            self = .choosing(choosing)
            return nil
        case .buffering(_, _, let destination): return destination.isDecoded == true
        case .draining(_, let output), .writing(let output): return output.isDecoded
        // Its bytes are not needed.
        case .waiting, .failed, .closed, .ended: return true
        }
    }

    /// Sets the chosen destination; returns `nil` if none is being chosen.
    mutating func choose(_ destination: PendingFile.Destination) -> Choice? {
        guard case .choosing(let choosing) = self else { return nil }
        self = .buffering(choosing.pending, choosing.buffer, destination)
        return Choice(isAwaited: choosing.isDecodingAwaited, createsFile: choosing.buffer.chunkLength == nil)
    }

    /// Keeps the existing file instead of the response's.
    ///
    /// - Returns: Whether the body waited for the choice.
    mutating func keep(at path: String) -> Bool {
        if case .failed = self { return false }
        defer { self = .ended(path) }
        if case .choosing(let choosing) = self { return choosing.isDecodingAwaited }
        return false
    }

    // The body

    /// Handles bytes of the body.
    mutating func receive(_ bytes: UnsafeRawBufferPointer) -> Receipt {
        switch self {
        case .writing(let output): return .write(output)
        case .waiting, .failed, .closed, .ended: return .stop
        case .choosing(var choosing):
            // The buffer must not be shared while it grows.
            self = .waiting
            defer { self = .choosing(choosing) }
            return Self.receive(bytes, in: &choosing.buffer)
        case .buffering(let pending, var buffer, let destination):
            self = .waiting
            defer { self = .buffering(pending, buffer, destination) }
            return Self.receive(bytes, in: &buffer)
        case .draining(var buffer, let output):
            self = .waiting
            defer { self = .draining(buffer, output) }
            return Self.receive(bytes, in: &buffer)
        }
    }

    private static func receive(_ bytes: UnsafeRawBufferPointer, in buffer: inout BodyBuffer) -> Receipt {
        let mayBeOnlyChunk = buffer.chunkLength != nil
        if buffer.receive(bytes) == .pause { return .pause }
        return mayBeOnlyChunk && buffer.chunkLength == nil ? .split : .buffered
    }

    /// Handles the creation of the file.
    mutating func open(_ writer: Writer) {
        guard case .buffering(_, let buffer, let destination) = self else { return }
        self = .draining(buffer, Output(writer: writer, isDecoded: destination.isDecoded == true))
    }

    /// Lets several transfers share the file.
    mutating func divide(among segments: Segments) {
        switch self {
        case .draining(let buffer, var output):
            output.segments = segments
            self = .draining(buffer, output)
        case .writing(var output):
            output.segments = segments
            self = .writing(output)
        case .waiting, .choosing, .buffering, .failed, .closed, .ended: break
        }
    }

    /// Returns the bytes to write next. Without any, further bytes go to the file.
    mutating func drain() -> Draining {
        guard case .draining(var buffer, let output) = self else { return .done(isPaused: false) }
        let bytes = buffer.take()
        self = bytes.isEmpty ? .writing(output) : .draining(buffer, output)
        return bytes.isEmpty ? .done(isPaused: buffer.isPaused) : .write(bytes)
    }

    // The end

    /// Handles a failure of the file; the first one counts, as later ones follow from it.
    ///
    /// - Returns: Whether the body waited for the choice of the destination.
    mutating func fail(_ cause: DownloadFailure, unusableDestination: String? = nil) -> Bool {
        var isAwaited = false
        switch self {
        case .closed, .ended, .failed: return false
        case .choosing(let choosing): isAwaited = choosing.isDecodingAwaited
        case .waiting, .buffering, .draining, .writing: break
        }
        self = .failed(Failure(cause: cause, unusableDestination: unusableDestination), output)
        return isAwaited
    }

    /// Handles the end of the attempt: further bytes are not accepted.
    ///
    /// - Returns: The file that is to be completed or stored.
    mutating func end() -> Output? {
        let output = output
        switch self {
        case .closed, .ended: break
        case .failed(let failure, _): self = .failed(failure, nil)
        case .waiting, .choosing, .buffering, .draining, .writing: self = .closed
        }
        return output
    }

    /// Handles the rename of the complete file.
    mutating func complete(at path: String) { self = .ended(path) }

    // Views

    /// The file that is being written.
    var output: Output? {
        switch self {
        case .draining(_, let output), .writing(let output): output
        case .failed(_, let output): output
        case .waiting, .choosing, .buffering, .closed, .ended: nil
        }
    }

    /// The file that is not created yet although its destination is chosen.
    var uncreated: (pending: PendingFile, destination: PendingFile.Destination)? {
        if case .buffering(let pending, _, let destination) = self { (pending, destination) } else { nil }
    }

    /// The number of bytes that wait for the creation of their file.
    var bufferedCount: Int {
        if case .buffering(_, let buffer, _) = self { buffer.bytes.count } else { 0 }
    }

    var failure: Failure? { if case .failed(let failure, _) = self { failure } else { nil } }

    /// The path of the complete file.
    var path: String? { if case .ended(let path) = self { path } else { nil } }
}
