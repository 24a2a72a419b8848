internal import AFCore

/// A checksum, or a file that contains it.
enum TypedChecksum: Equatable, Sendable, ArgumentValue {
    case value(Checksum)
    case list(path: String)

    static var hint: ArgumentHint { .file }

    /// Returns the hint for digits without an algorithm, whose number shows it.
    private static func hint(for text: String) -> String {
        let algorithm = Checksum.Algorithm.allCases.first { $0.byteCount * 2 == text.utf8.count }
        guard let algorithm, Checksum(algorithm, hexadecimal: text[...]) != nil else {
            return "for example: sha256:9f86d081..."
        }
        return "did you mean \(algorithm.rawValue):\(text.prefix(8))...?"
    }

    /// Parses `ALGORITHM:HEX` or `@FILE`.
    init(argument: String) throws(UsageError) {
        if argument.first == "@" {
            self = .list(path: String(argument.dropFirst()))
            if argument.utf8.count == 1 { throw UsageError("has no file name after the @") }
            return
        }
        guard let halves = argument.halves(around: ":") else {
            throw UsageError(
                "expected ALGORITHM:HEX or @FILE, got '\(argument)'", hint: Self.hint(for: argument))
        }
        guard let algorithm = Checksum.Algorithm(name: String(halves.before)) else {
            let known = Checksum.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")
            throw UsageError("unknown algorithm '\(halves.before)'", hint: "supported: \(known)")
        }
        guard let checksum = Checksum(algorithm, hexadecimal: halves.after) else {
            throw UsageError(
                "expected \(known: algorithm.byteCount * 2) hexadecimal digits of \(known: algorithm.rawValue), got '\(argument)'"
            )
        }
        self = .value(checksum)
    }
}
