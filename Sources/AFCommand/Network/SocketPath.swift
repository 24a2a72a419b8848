/// The path of a unix socket, which an address has little room for (`man 7 unix`).
struct SocketPath: Equatable, Sendable, ArgumentValue {
    static let longest = 107

    let text: String

    static var hint: ArgumentHint { .file }

    init(argument: String) throws(UsageError) {
        guard (1...Self.longest).contains(argument.utf8.count) else {
            throw UsageError("a socket's path has 1 to \(Self.longest) bytes, this one \(argument.utf8.count)")
        }
        text = argument
    }
}
