/// The command line.
struct Options: Sendable {
    struct Usage: Error, CustomStringConvertible {
        let description: String
    }

    var isShort = false
    var seed: UInt64 = 20_260_301
    /// The file for the results; `nil` for none.
    var results: String?
    /// The text that the name or group of a case must contain; kills run only if it is "SIGKILL". `nil` for all.
    var only: String?
    var afcli = ".build/bin/afcli"

    static let usage = "usage: torture [--short] [--seed NUMBER] [--results FILE] [--only TEXT] [AFCLI]"

    init(_ arguments: [String]) throws(Usage) {
        var rest = arguments[...]
        while let word = rest.popFirst() {
            switch word {
            case "--short": isShort = true
            case "--seed":
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else {
                    throw Usage(description: "--seed needs a number")
                }
                seed = number
            case "--results": results = try Self.value(&rest, of: word)
            case "--only": only = try Self.value(&rest, of: word)
            case _ where word.hasPrefix("-"): throw Usage(description: "unknown option \(word)\n\(Self.usage)")
            default: afcli = word
            }
        }
    }

    private static func value(_ rest: inout ArraySlice<String>, of word: String) throws(Usage) -> String {
        guard let value = rest.popFirst() else { throw Usage(description: "\(word) needs a value") }
        return value
    }

    func includes(_ trial: Trial) -> Bool {
        guard let only else { return true }
        return trial.name.contains(only) || trial.group.rawValue.contains(only)
    }

    var includesKills: Bool { only.map { $0 == "SIGKILL" } ?? true }
}
