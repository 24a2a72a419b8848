/// The relations of an option to others, and to the sources of options.
struct OptionRelations: Sendable {
    /// The sources in which it may be set.
    let scope: OptionScope
    /// The options of a later source that replace it.
    let yieldsTo: [String]
    /// Whether the first argument that matches is used, so that those of later sources come first.
    let isFirstDecisive: Bool
    /// The secrets in its argument; `nil` if there are none.
    let secrets: ArgumentSecrets?
    /// The environment variables that take precedence over the default options; `nil` if there are none.
    let variables: VariablePrecedence?
}

/// The environment variables that take precedence over the default options.
struct VariablePrecedence: Sendable {
    /// Returns the arguments that remain of one in the default options.
    let remaining: @Sendable (_ argument: String, _ variables: Variables) -> [String]

    /// Each variable replaces the option.
    static func any(_ names: String...) -> Self {
        Self { argument, variables in variables.isAnySet(names) ? [] : [argument] }
    }
}

extension Variables {
    /// Whether one of the variables is set and not empty.
    func isAnySet(_ names: [String]) -> Bool { names.contains { self[$0]?.isEmpty == false } }
}
