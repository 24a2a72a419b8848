internal import Glibc

/// The kind of number that an option of curl takes.
///
/// Each argument is checked here as curl checks it, and replaced by a plain decimal number: the options of afcli take
/// units that curl's do not, and reject signs and blanks that curl's take.
enum CurlNumber {
    /// 0 or more.
    case count
    /// -1, for no limit, or more.
    case limit
    /// Seconds without a fraction, but for the delay of retries: curl 8.16 takes one.
    case wholeSeconds
    /// Seconds, which libcurl rounds down to milliseconds.
    case seconds
    /// Bytes, with an optional unit.
    case size
    /// Bytes in decimal, octal or hexadecimal digits, or `-` for those of the file.
    case offset
    /// A port, or the first and the last one of a range; what follows the digits of either has no effect.
    case ports
    /// The permissions of a file, an octal number.
    case mode

    /// The kind by the name of the option.
    static let kinds: [String: CurlNumber] = [
        "connect-timeout": .seconds, "continue-at": .offset, "create-file-mode": .mode,
        "expect100-timeout": .seconds, "happy-eyeballs-timeout-ms": .count, "keepalive-cnt": .count,
        "keepalive-time": .wholeSeconds, "limit-rate": .size, "local-port": .ports, "max-filesize": .size,
        "max-redirs": .limit, "max-time": .seconds, "parallel-max": .count, "retry": .count,
        "retry-delay": .seconds, "retry-max-time": .wholeSeconds, "speed-limit": .count,
        "speed-time": .wholeSeconds, "tftp-blksize": .count,
    ]

    /// Returns the number as decimal digits.
    ///
    /// - Throws: ``UsageError`` if curl rejects the argument.
    func plain(_ argument: String) throws(UsageError) -> String {
        switch self {
        case .count: return try String(Self.number(argument, from: 0))
        case .limit: return try String(Self.number(argument, from: -1))
        // More than any run lasts.
        case .wholeSeconds: return try String(min(Self.number(argument, from: 0), Int64(Seconds.longest)))
        case .seconds: return try Self.seconds(argument)
        case .size: return try Self.size(argument)
        case .offset: return try argument == "-" ? argument : Self.offset(argument)
        case .ports: return try Self.ports(argument)
        case .mode: return try Self.mode(argument)
        }
    }

    /// Returns a number, which blanks and a sign may precede.
    static func number(_ argument: some StringProtocol, from minimum: Int64) throws(UsageError) -> Int64 {
        let text = argument.drop(while: \.isCBlank)
        let digits = text.first == "-" || text.first == "+" ? text.dropFirst() : text
        guard digits.isDecimal, let number = Int64(text), number >= minimum else {
            throw UsageError("expected a number, got '\(String(argument))'")
        }
        return number
    }

    private static func seconds(_ argument: String) throws(UsageError) -> String {
        let (value, isComplete) = argument.withCString { text in
            var end: UnsafeMutablePointer<CChar>?
            let value = strtod(text, &end)
            return (value, end.map { UnsafePointer($0) != text && $0.pointee == 0 } ?? false)
        }
        guard isComplete, value >= 0, value < Double(Int64.max) / 1000 else {
            throw UsageError("expected a number, got '\(argument)'")
        }
        let milliseconds = Int64(min(value, Seconds.longest) * 1000)
        guard milliseconds % 1000 > 0 else { return "\(milliseconds / 1000)" }
        return "\(milliseconds / 1000).\(String(milliseconds % 1000 + 1000).dropFirst())"
    }

    private static func ports(_ argument: String) throws(UsageError) -> String {
        let first = argument.prefix { ("0"..."9").contains($0) }
        let rest = argument.dropFirst(first.count).drop(while: \.isCBlank)
        let last = rest.hasPrefix("-") ? rest.dropFirst().drop(while: \.isCBlank).prefix { !$0.isCBlank }.prefix(6) : ""
        let bounds = try (number(first, from: 0), number(last.isEmpty ? first : last, from: 0))
        guard bounds.0 <= bounds.1, bounds.1 <= UInt16.max else {
            throw UsageError("expected a port or a range such as 40000-40100, got '\(argument)'")
        }
        return bounds.0 == bounds.1 ? "\(bounds.0)" : "\(bounds.0)-\(bounds.1)"
    }

    /// Returns an octal number up to 0777, which blanks and a plus sign may precede.
    private static func mode(_ argument: String) throws(UsageError) -> String {
        let text = argument.drop(while: \.isCBlank)
        guard let bits = Int(text, radix: 8), (0...0o777).contains(bits) else {
            throw UsageError("expected a number from 0 to 0777 in octal digits, got '\(argument)'")
        }
        return String(bits, radix: 8)
    }

    /// Returns an offset, which is hexadecimal after `0x`, and octal after another zero.
    private static func offset(_ argument: String) throws(UsageError) -> String {
        let text = argument.drop(while: \.isCBlank)
        let digits = text.first == "+" ? text.dropFirst() : text
        let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
        let number = isHexadecimal ? digits.dropFirst(2) : digits
        guard number.first?.isHexDigit == true,
            let bytes = Int64(number, radix: isHexadecimal ? 16 : number.first == "0" ? 8 : 10)
        else { throw UsageError("expected a number, got '\(argument)'") }
        return "\(min(bytes, longest))"
    }

    /// A limit that is a 64-bit integer as a floating-point number, too.
    private static let longest: Int64 = 1 << 62

    private static func size(_ argument: String) throws(UsageError) -> String {
        let units = "bkmg"
        let unit = argument.last.map { Character($0.lowercased()) }.flatMap { units.firstIndex(of: $0) }
        let shift = unit.map { units.distance(from: units.startIndex, to: $0) * 10 } ?? 0
        let number = argument.dropLast(unit == nil ? 0 : 1)
        let bytes = try Self.number(number, from: 0)
        guard bytes <= Int64.max >> shift, !number.contains("-") else {
            throw UsageError("expected a number of bytes, got '\(argument)'")
        }
        return "\(min(bytes << shift, longest))"
    }
}

extension Character {
    /// Whether C's functions for numbers skip the character.
    fileprivate var isCBlank: Bool { [" ", "\t", "\n", "\r", "\r\n", "\u{B}", "\u{C}"].contains(self) }
}
