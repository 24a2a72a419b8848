/// Why a file that was named on the command line cannot be used.
struct FileProblem: Error, Equatable, Sendable, CustomStringConvertible {
    enum Purpose: Equatable, Sendable { case reading, writing }

    /// `-` is standard input.
    let path: String
    /// What is wrong, as the end of a sentence: `no such file`.
    let reason: String
    static let isMissing = "no such file"
    static let isDirectory = "it is a directory"
    static let isNoText = "it is not UTF-8 text"
    /// What to do about a file that somebody writes to.
    static let sendCopy = "send a copy that nobody writes to"

    /// The option or item that named the file, as typed.
    private(set) var argument: String?
    var purpose = Purpose.reading
    /// What to type instead.
    var hint: String?

    init(path: String, reason: String, argument: String? = nil, purpose: Purpose = .reading, hint: String? = nil) {
        self.path = path
        self.reason = reason
        self.argument = argument
        self.purpose = purpose
        self.hint = hint
    }

    /// The same problem, laid to an argument unless it names one already.
    func naming(_ argument: String) -> FileProblem {
        var named = self
        named.argument = self.argument ?? argument
        return named
    }

    /// The same problem with another hint.
    func hinting(_ hint: String) -> FileProblem {
        var hinted = self
        hinted.hint = hint
        return hinted
    }

    var message: String {
        let place = path == "-" ? "standard input" : "'\(path)'"
        let sentence = "cannot \(purpose == .reading ? "read" : "write") \(place): \(reason)"
        guard let argument else { return sentence }
        return "\(argument): \(sentence)"
    }

    var description: String { message }
}
