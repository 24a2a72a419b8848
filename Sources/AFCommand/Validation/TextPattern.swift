internal import Glibc

/// A string or regular expression to search for.
enum TextPattern: Equatable, Sendable {
    case text(String)
    case expression(String)

    /// Creates an expression.
    ///
    /// - Throws: ``UsageError`` if it is malformed.
    init(expression: String) throws(UsageError) {
        do {
            _ = try Regex(expression)
        } catch {
            throw UsageError(
                "'\(expression.shortened)' is not a regular expression",
                hint: "a backslash escapes characters such as ( [ { . * + ? |"
            )
        }
        self = .expression(expression)
    }

    /// The pattern as part of a sentence.
    var description: String {
        switch self {
        case .text(let text): "'\(text.shortened)'"
        case .expression(let expression): "/\(expression.shortened)/"
        }
    }

    /// Whether the pattern is found in a text in UTF-8.
    func isFound(in bytes: [UInt8]) -> Bool {
        switch self {
        case .text(let text): return bytes.contains(bytes: Array(text.utf8))
        case .expression(let expression):
            // Compiled again, as `Regex` is not Sendable; the initializer has proved that it can be.
            guard let expression = try? Regex(expression) else { return false }
            return (try? expression.firstMatch(in: String(decoding: bytes, as: UTF8.self))) != nil
        }
    }
}

extension String {
    /// The text between two slashes: a regular expression; `nil` without them.
    var betweenSlashes: String? {
        count > 2 && hasPrefix("/") && hasSuffix("/") ? String(dropFirst().dropLast()) : nil
    }
}

extension [UInt8] {
    /// Whether the bytes contain others.
    func contains(bytes pattern: [UInt8]) -> Bool {
        guard let first = pattern.first else { return true }
        return withUnsafeBytes { all in
            guard let base = all.baseAddress else { return false }
            var start = 0
            while all.count - start >= pattern.count {
                let length = all.count - start - pattern.count + 1
                guard let found = memchr(base + start, Int32(first), length) else { return false }
                if memcmp(found, pattern, pattern.count) == 0 { return true }
                start = UnsafeRawPointer(found) - base + 1
            }
            return false
        }
    }
}
