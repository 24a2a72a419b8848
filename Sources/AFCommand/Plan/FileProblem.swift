/// Why a file that was named on the command line cannot be used.
struct FileProblem: Error, Equatable, Sendable {
    enum Purpose: Equatable, Sendable { case reading, writing }

    let path: String
    /// What is wrong, as the end of a sentence: `no such file`.
    let reason: String
    static let isDirectory = "it is a directory"

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

    var message: String {
        let sentence = "cannot \(purpose == .reading ? "read" : "write") '\(path)': \(reason)"
        guard let argument else { return sentence }
        return "\(argument): \(sentence)"
    }
}
