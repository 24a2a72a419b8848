internal import AFCore

/// A checksum, or a file that contains it.
enum TypedChecksum: Equatable, Sendable, ArgumentValue {
    case value(Checksum)
    /// A list; its digests without an algorithm have the one that was typed.
    case list(path: String, algorithm: Checksum.Algorithm?)

    static var hint: ArgumentHint { .file }
    /// The hint for an unknown algorithm.
    static let supported = "supported: " + Checksum.Algorithm.allCases.map(\.rawValue).joined(separator: ", ")

    /// Returns the hint for digits without an algorithm, whose number shows it.
    private static func hint(for text: String) -> String {
        let algorithm = Checksum.Algorithm.allCases.first { $0.byteCount * 2 == text.utf8.count }
        guard let algorithm, Checksum(algorithm, hexadecimal: text[...]) != nil else {
            return "for example: sha256:9f86d081..."
        }
        return "did you mean \(algorithm.rawValue):\(text.prefix(8))...?"
    }

    /// Parses `ALGORITHM:HEX`, `ALGORITHM-BASE64` as of Subresource Integrity, `@FILE` or `ALGORITHM:@FILE`.
    init(argument: String) throws(UsageError) {
        if argument.utf8.first == UInt8(ascii: "@") {
            self = try .list(typed: argument, nil)
            return
        }
        if let checksum = Checksum(argument) {
            self = .value(checksum)
            return
        }
        guard let halves = argument.halves(around: ":") else {
            throw UsageError(
                "expected ALGORITHM:HEX or @FILE, got '\(argument)'", hint: Self.hint(for: argument))
        }
        guard let algorithm = Checksum.Algorithm(name: String(halves.before)) else {
            throw UsageError("unknown algorithm '\(halves.before)'", hint: Self.supported)
        }
        if halves.after.utf8.first == UInt8(ascii: "@") {
            self = try .list(typed: halves.after, algorithm)
            return
        }
        throw UsageError(
            "expected \(known: algorithm.byteCount * 2) hexadecimal digits of \(known: algorithm.rawValue), got '\(argument)'"
        )
    }

    private static func list(
        typed text: some StringProtocol,
        _ algorithm: Checksum.Algorithm?
    ) throws(UsageError) -> TypedChecksum {
        let path = String(String(text).unicodeScalars.dropFirst())
        if path.isEmpty { throw UsageError("has no file name after the @") }
        return .list(path: path, algorithm: algorithm)
    }
}
