/// Standard input as far as a plan must know it; tests bring their own.
struct StandardInput: Sendable {
    enum Kind: Equatable, Sendable {
        case terminal
        /// Descriptor 0 is not open.
        case closed
        case nullDevice
        /// A redirected file, with the bytes between the current position and its end.
        ///
        /// A position behind the start means that another program reads the file, such as the shell in a loop over lines.
        case regularFile(remaining: Int64, isAtStart: Bool = true)
        /// A pipe, a socket or a device, whose end nobody knows.
        case stream
        case directory
    }

    /// What a stream does within a timeout.
    enum Delivery: Equatable, Sendable { case bytes, end, silence }

    let kind: Kind
    /// Waits for the first byte or the end of a stream, and consumes nothing.
    let firstDelivery: @Sendable (_ timeout: Duration) -> Delivery
    /// Whether there are bytes in it that nobody has begun to read; asked without waiting.
    let isUntouched: @Sendable () -> Bool
    /// Everything up to the end.
    let readAll: @Sendable () throws(FileProblem) -> [UInt8]
    /// The input as a body, read for as long as its length is worth waiting for.
    let readBody: @Sendable () throws(FileProblem) -> InputBody
}

/// Standard input as a body or as a part of one.
struct InputBody: Equatable, Sendable {
    /// In bytes; `nil` if it is not known before the end.
    var size: Int64?
    /// The bytes that are read already.
    var prefix: [UInt8] = []
    /// Whether nothing is left to read, so that the body can be sent again.
    var isComplete = false

    /// The body of an input that has ended.
    static func complete(_ bytes: [UInt8]) -> InputBody {
        InputBody(size: Int64(bytes.count), prefix: bytes, isComplete: true)
    }
}

extension StandardInput {
    /// - Throws: ``FileProblem`` where a read would fail.
    func checkReadable() throws(FileProblem) {
        guard kind == .directory else { return }
        throw FileProblem(path: "-", reason: .isDirectory, hint: "redirect a file: < FILE")
    }
}
