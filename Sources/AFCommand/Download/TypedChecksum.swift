internal import AFCore

/// A checksum, or a file that contains it.
enum TypedChecksum: Equatable, Sendable, ArgumentValue {
    case value(Checksum)
    case list(path: String)

    static var hint: ArgumentHint { .file }

    /// Parses `ALGORITHM:HEX` or `@FILE`.
    init(argument: String) throws(UsageError) {
        if argument.first == "@" {
            self = .list(path: String(argument.dropFirst()))
            if argument.utf8.count == 1 { throw UsageError("has no file name after the @") }
            return
        }
        guard let halves = argument.halves(around: ":") else {
            throw UsageError(
                "expected ALGORITHM:HEX or @FILE, got '\(argument)'", hint: "for example: sha256:9f86d081...")
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
