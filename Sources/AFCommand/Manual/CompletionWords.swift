/// Words that shells offer besides options and their choices.
enum CompletionWords {
    static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// Headers that people type by hand.
    static let headers = [
        "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection",
        "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Type", "Cookie", "Date", "DNT",
        "Expect",
        "Forwarded", "From", "Host", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
        "If-Unmodified-Since", "Last-Event-ID", "Origin", "Pragma", "Prefer", "Range", "Referer", "TE", "Traceparent",
        "Upgrade-Insecure-Requests", "User-Agent", "X-Api-Key", "X-Correlation-ID", "X-CSRF-Token", "X-Forwarded-For",
        "X-Forwarded-Host", "X-Forwarded-Proto", "X-HTTP-Method-Override", "X-Request-ID", "X-Requested-With",
    ]

    /// The long names of the options, without their dashes: what `--help=` takes.
    static var optionNames: [String] { OptionTable.shown.map { String($0.name.dropFirst(2)) } }

    /// Those of them that a `--no-` undoes, where that is no option of its own.
    static var undoable: [String] {
        let taken = Set(OptionTable.all.flatMap(\.longSpellings))
        return optionNames.filter {
            !$0.hasPrefix("no-") && !taken.contains("no-\($0)") && !["help", "version"].contains($0)
        }
    }

    /// The letters of all options that take an argument.
    static var lettersTakingArguments: String { String(OptionTable.taking.flatMap(\.letters)) }
}

extension OptionTable {
    /// Those that need an argument.
    static let taking = shown.filter { $0.argument?.isOptional == false }
}

extension Option {
    /// What may follow the option, and what messages call it; `nil` where nothing may.
    var argument: (name: String, hint: Hint, isOptional: Bool)? {
        switch effect.shape {
        case .flag, .count: nil
        case .argument(let name, let hint): (name, hint, false)
        case .optionalArgument(let name, let hint): (name, hint, true)
        }
    }
}
