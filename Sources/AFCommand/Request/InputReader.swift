internal import AFHTTP
internal import Glibc

/// A reader of a plan's input files. `-` is standard input, which can be read only once.
struct InputReader: Sendable {
    private let files: FileAccess
    private let standardInput: StandardInput
    private let mayReadStandardInput: Bool
    /// The importance of a body's length.
    let length: StandardInput.Length
    private(set) var isStandardInputTaken = false

    init(
        _ files: FileAccess, _ standardInput: StandardInput, mayReadStandardInput: Bool,
        length: StandardInput.Length = .preferred
    ) {
        self.files = files
        self.standardInput = standardInput
        self.mayReadStandardInput = mayReadStandardInput
        self.length = length
    }

    /// Whether the path is standard input. Those of curl are, except for `-`, files.
    private func isStandardInput(_ path: String) -> Bool {
        path == "-" || files.expandsHome && path.descriptor == STDIN_FILENO
    }

    /// Returns the contents of a file.
    mutating func bytes(_ path: String, _ limit: ReadLimit = .text) throws -> [UInt8] {
        guard isStandardInput(path) else { return try files.read(files.expanding(path), limit) }
        try takeStandardInput()
        return try standardInput.readAll()
    }

    /// Returns the contents of a file as text.
    ///
    /// - Throws: ``FileProblem``, also if the contents are not UTF-8.
    mutating func text(_ path: String, _ limit: ReadLimit = .text) throws -> String {
        guard let text = String(validating: try bytes(path, limit).withoutByteOrderMark, as: UTF8.self) else {
            let hint = "bytes can go as they are: --raw @FILE, or --form name@FILE"
            throw FileProblem(path: path, reason: .isNotUTF8, hint: hint)
        }
        return text
    }

    /// Whether the type of standard input is guessed by its sent name: curl guesses those that it knows.
    var guessesTypes: Bool { files.expandsHome }

    /// Returns a file for upload: checked now, and read when it is sent.
    ///
    /// - Parameter mayBeRange: Whether `[START:END]` after the path selects bytes of the file. A file whose name ends
    ///   like this takes precedence.
    mutating func upload(_ path: String, mayBeRange: Bool = true) throws -> PartPlan.Content {
        if isStandardInput(path) { return .standardInput(try inputBody()) }
        let path = files.expanding(path)
        do throws(FileProblem) {
            return .file(path: path, size: try files.describe(path).size)
        } catch {
            // Paths of curl have no ranges.
            guard mayBeRange, files.expandsHome, error.reason == .isMissing, let typed = TypedRange(path) else {
                throw error
            }
            let size = isStandardInput(typed.path) ? nil : try files.describe(typed.path).size
            let bytes = try typed.bytes(ofSize: size)
            return .file(path: typed.path, size: bytes.upperBound - bytes.lowerBound, range: bytes)
        }
    }

    /// Returns a copy of a FIFO or a device, which exists until the process ends.
    func copy(_ path: String) throws -> PartPlan.Content {
        let descriptor = try FileAccess.open(path)
        defer { close(descriptor) }
        let isOwnFIFO = FileStatus(descriptor)?.kind == S_IFIFO
        let copy = try FileAccess.copyToMemory(descriptor, path: path, files.waits, isOwnFIFO: isOwnFIFO)
        return .file(path: "/proc/self/fd/\(copy.descriptor)", size: copy.size)
    }

    /// Returns the start of a regular file, to guess its type; `nil` if it cannot be read.
    func start(of path: String) -> (bytes: [UInt8], isComplete: Bool)? {
        guard let size = (try? files.describe(path))?.size else { return nil }
        guard size > ContentGuess.longest else { return (try? files.read(path, .text)).map { ($0, true) } }
        guard let descriptor = try? FileAccess.open(path) else { return nil }
        defer { close(descriptor) }
        let chunk = try? FileAccess.readChunk(descriptor, path: path, size: 4096, waits: nil)
        return chunk.map { ($0, false) }
    }

    /// Returns standard input as a body or a part.
    mutating func inputBody() throws -> InputBody {
        try takeStandardInput()
        return try standardInput.readBody(length)
    }

    private mutating func takeStandardInput() throws {
        guard mayReadStandardInput else { throw UsageError("'-' is standard input, which --ignore-stdin excludes") }
        guard !isStandardInputTaken, standardInput.kind != .closed || !standardInput.isRemembered else {
            throw UsageError("standard input can be read only once")
        }
        guard standardInput.kind != .closed else { throw UsageError("standard input is closed") }
        try standardInput.checkReadable()
        isStandardInputTaken = true
    }
}
