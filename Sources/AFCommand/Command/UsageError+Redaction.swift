extension UsageError {
    /// The same error for records: its values are none for others' eyes, and of an item but the name is told.
    var withoutValues: UsageError {
        let problem = Problem(stringLiteral: statement.textWithoutValues)
        guard let argument, !argument.isOption else {
            return UsageError(problem, argument: argument)
        }
        let item = try? RequestItem(argument)
        return UsageError(problem, argument: item.map { "\($0.name)\($0.separator.rawValue)..." } ?? "...")
    }

    /// The same error for a screen, which is often the log of a machine that others read: without values where there is
    /// a secret among them.
    var withoutSecrets: UsageError {
        guard statement.holdsSecret || argument?.namesSecret == true else { return self }
        var error = withoutValues
        error.hint = hint
        return error
    }
}

extension String {
    fileprivate var isOption: Bool { Invocation.options.entries.contains { $0.spellings.contains(self) } }
}
