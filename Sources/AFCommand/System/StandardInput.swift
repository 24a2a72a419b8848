/// The properties of standard input that a plan needs; tests provide their own.
struct StandardInput: Sendable {
    enum Kind: Hashable, Sendable {
        case terminal
        /// Descriptor 0 is not open.
        case closed
        case nullDevice
        /// A redirected file, with the number of bytes from the current position to its end.
        ///
        /// If the position is not at the start, another program reads the file, such as the shell in a loop over lines.
        case regularFile(remaining: Int64, isAtStart: Bool = true)
        /// A pipe, a socket or a device, of unknown length.
        case stream
        case directory
    }

    /// The first event of a stream within a timeout.
    enum Delivery: Equatable, Sendable { case bytes, end, timeout }

    let kind: Kind
    /// Waits for the first byte or the end of a stream, without consuming it.
    let firstDelivery: @Sendable (_ timeout: Duration) -> Delivery
    /// Whether there are bytes that no program has started to read; does not wait.
    let isUntouched: @Sendable () -> Bool
    /// Reads to the end.
    let readAll: @Sendable () throws(FileProblem) -> [UInt8]
    /// The importance of a body's length.
    enum Length: Sendable {
        /// The body is chunked: only the first bytes of a stream are awaited.
        case irrelevant
        /// A stream is read completely if it is short and fast.
        case preferred
        /// A stream is read completely, as curl reads it.
        case required
    }

    /// Reads the input as a body.
    let readBody: @Sendable (_ length: Length) throws(FileProblem) -> InputBody
    /// Whether it is read completely, once, for any number of bodies.
    var isRemembered = false
}

/// Standard input as a body or a part.
struct InputBody: Equatable, Sendable {
    /// The size in bytes; `nil` if it is unknown.
    var size: Int64?
    /// The bytes that were already read.
    var prefix: [UInt8] = []
    /// The first bytes of a file, which are read again when it is sent.
    var sample: [UInt8] = []
    /// Whether the input is a redirected file, which can be read again from its position.
    var isRewindable = false
    /// Whether nothing is left to read, so that the body can be sent again.
    var isComplete = false

    /// Returns the body of an input that was read completely.
    static func complete(_ bytes: [UInt8]) -> InputBody {
        InputBody(size: Int64(bytes.count), prefix: bytes, isComplete: true)
    }
}

extension StandardInput {
    /// A standard input that was read already or must not be read.
    static let taken = StandardInput(
        kind: .closed,
        firstDelivery: { _ in .end },
        isUntouched: { false },
        readAll: { [] },
        readBody: { _ in .complete([]) },
        isRemembered: true
    )

    /// Returns an input that was read completely.
    static func complete(_ bytes: [UInt8]) -> StandardInput {
        StandardInput(
            kind: .stream,
            firstDelivery: { _ in bytes.isEmpty ? .end : .bytes },
            isUntouched: { false },
            readAll: { bytes },
            readBody: { _ in .complete(bytes) },
            isRemembered: true
        )
    }

    /// Checks that the input is readable.
    ///
    /// - Throws: ``FileProblem`` if a read would fail.
    func checkReadable() throws(FileProblem) {
        guard kind == .directory else { return }
        throw FileProblem(path: "-", reason: .isDirectory, hint: "redirect a file: < FILE")
    }
}
