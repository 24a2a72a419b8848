internal import AFHurl

/// The variables of a run, some of which are secrets.
package struct HurlVariables: Equatable, Sendable {
    /// The values by name.
    package private(set) var values: [String: HurlValue] = [:]
    /// The texts that reports and messages must not contain.
    package var secrets: Set<String> { known.texts }
    private var known = KnownSecrets()
    private var secretNames: Set<String> = []

    /// Creates a list without variables.
    package init() {}

    /// The value of a variable; `nil` if it is not defined.
    package subscript(name: String) -> HurlValue? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// Whether the value of a variable is a secret.
    package func isSecret(_ name: String) -> Bool { secretNames.contains(name) }

    /// Sets a variable whose value is a secret.
    package mutating func setSecret(_ name: String, to text: String) {
        values[name] = .string(text)
        secretNames.insert(name)
        known.add(text)
    }
}

extension HurlValue {
    /// Creates the value of a variable on the command line or in a file, as in an option of an entry: a constant, a number
    /// or a string.
    package init(inferring text: String) {
        switch text {
        case "null": self = .null
        case "true": self = .boolean(true)
        case "false": self = .boolean(false)
        default:
            if let number = HurlNumber(ofVariable: text) {
                self = .number(number)
            } else if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") {
                self = .string(String(text.dropFirst().dropLast()))
            } else {
                self = .string(text)
            }
        }
    }
}

/// Files of variables.
extension HurlVariables {
    /// A line of a file that defines no variable.
    package struct LineError: Error, Equatable {
        /// The number of the line, from 1.
        package let line: Int
    }

    /// Returns the definitions of a file: lines such as `name=value`; blank ones and comments are ignored.
    package static func definitions(
        inFile text: String
    ) throws(LineError) -> [(name: String, value: String)] {
        var definitions: [(name: String, value: String)] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        for (index, line) in lines.enumerated() {
            let content = line.drop { $0 == " " || $0 == "\t" }
            if content.isEmpty || content.hasPrefix("#") { continue }
            guard let (name, value) = definition(String(content)) else { throw LineError(line: index + 1) }
            definitions.append((name, value[...].trimmingBlanks))
        }
        return definitions
    }

    /// Returns the name and the value of `name=value`, with its blanks; `nil` if the name is not valid.
    package static func definition(_ text: String) -> (name: String, value: String)? {
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let name = halves[0].trimmingBlanks
        guard let first = name.unicodeScalars.first, first.properties.isAlphabetic,
            name.unicodeScalars.allSatisfy({
                $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "_" || $0 == "-"
            }), HurlFunction(rawValue: name) == nil
        else { return nil }
        return (name, String(halves[1]))
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var text = drop { $0 == " " || $0 == "\t" }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

/// Secrets in texts.
extension HurlVariables {
    /// The text in place of a secret.
    package static let mask = "***"

    /// Returns a text without the secrets, which may be encoded as Base64, in a URL or in JSON.
    package func redacted(_ text: String) -> String { known.redacted(text, mask: Self.mask) }

    /// Returns bytes without the secrets.
    package func redacted(_ bytes: [UInt8]) -> [UInt8] { known.redacted(bytes, mask: Self.mask) }
}
