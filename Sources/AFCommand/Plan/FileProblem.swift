/// Why a file that was named on the command line cannot be used.
struct FileProblem: Error, Equatable, Sendable {
    let path: String
    /// What is wrong, as the end of a sentence: `no such file`.
    let reason: String
    static let isDirectory = "it is a directory"

    /// The option or item that named the file, as typed.
    private(set) var argument: String?

    init(path: String, reason: String, argument: String? = nil) {
        self.path = path
        self.reason = reason
        self.argument = argument
    }

    /// The same problem, laid to an argument unless it names one already.
    func naming(_ argument: String) -> FileProblem {
        FileProblem(path: path, reason: reason, argument: self.argument ?? argument)
    }

    var message: String {
        let sentence = "cannot read '\(path)': \(reason)"
        guard let argument else { return sentence }
        return "\(argument): \(sentence)"
    }
}
