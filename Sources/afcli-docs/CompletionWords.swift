internal import AFCommand

/// The words offered for completion, besides options and their choices.
struct CompletionWords {
    /// The options that every libcurl supports.
    let options: [OptionEntry]

    init(_ options: [OptionEntry]) { self.options = options.filter { $0.condition == nil } }

    /// Header fields that are often typed.
    static let headers = [
        "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control", "Connection",
        "Content-Disposition", "Content-Encoding", "Content-Language", "Content-Type", "Cookie", "Date", "DNT",
        "Expect",
        "Forwarded", "From", "Host", "Idempotency-Key", "If-Match", "If-Modified-Since", "If-None-Match", "If-Range",
        "If-Unmodified-Since", "Last-Event-ID", "Origin", "Pragma", "Prefer", "Range", "Referer", "TE", "Traceparent",
        "Upgrade-Insecure-Requests", "User-Agent", "X-Api-Key", "X-Correlation-ID", "X-CSRF-Token", "X-Forwarded-For",
        "X-Forwarded-Host", "X-Forwarded-Proto", "X-HTTP-Method-Override", "X-Request-ID", "X-Requested-With",
    ]

    /// The options that require an argument.
    var optionsWithArgument: [OptionEntry] { options.filter { $0.argument?.isOptional == false } }

    /// The letters of all options that require an argument.
    var lettersTakingArguments: String { String(optionsWithArgument.flatMap(\.letters)) }

    /// The long names of the options that require an argument, with dashes.
    var namesTakingArguments: [String] { optionsWithArgument.flatMap(\.longSpellings).map { "--\($0)" } }

    /// The topics of `--help=`: pages, headings and options.
    var helpTopics: [String] {
        let names = optionNames
        let titles = (options.sections + [options.rareSection]).map { $0.title.lowercased().replacing(" ", with: "-") }
        return ["all", "examples", "items"] + titles.filter { !names.contains($0) } + names.filter { $0 != "all" }
    }

    /// The long names of the options without dashes.
    var optionNames: [String] { options.map { String($0.name.dropFirst(2)) } }

    /// The long names that can be negated with `--no-`.
    var undoable: [String] {
        let taken = Set(options.flatMap(\.longSpellings))
        return optionNames.filter {
            !$0.hasPrefix("no-") && !taken.contains("no-\($0)") && !["help", "version"].contains($0)
        }
    }
}

extension FileRunOption {
    /// The options of `afcli run` that every libcurl supports, without other names of the same option.
    static var completed: [FileRunOption] { all.filter { $0.alias == nil && $0.condition == nil } }
}
