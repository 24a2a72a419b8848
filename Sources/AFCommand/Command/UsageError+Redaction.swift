extension UsageError {
    /// The error for reports: without values, with the name of an item only.
    var withoutValues: UsageError {
        let problem = Problem(stringLiteral: statement.redactedText)
        guard let argument, !argument.isOption else {
            var error = UsageError(problem, argument: argument)
            error.source = source
            return error
        }
        let item = try? RequestItem(argument)
        return UsageError(problem, argument: item.map { "\($0.name)\($0.separator.rawValue)..." } ?? "...")
    }

    /// The error for standard error, which may be logged: without values if one of them is a secret.
    var withoutSecrets: UsageError {
        guard statement.holdsSecret || argument?.namesSecret == true || excerpt?.text.comparesSecret == true else {
            return self
        }
        var error = withoutValues
        error.hint = hint
        return error
    }
}

extension String {
    fileprivate var isOption: Bool { Invocation.options.entries.contains { $0.spellings.contains(self) } }
}
