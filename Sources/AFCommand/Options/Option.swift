/// An option: its spellings, its documentation, and its effect on `Values`.
///
/// `Values` has no constraint, which the runtime would check for each subject at the start of the program, at 30 µs each.
struct Option<Values>: Sendable {
    private(set) var entry: OptionEntry
    let effect: Effect
    let relations: OptionRelations
    let requirement: OptionRequirement<Values>?
    /// The environment variables that set it; `nil` if no variable does.
    let variables: OptionVariables<Values>?

    init(
        _ spellings: String...,
        summary: String,
        details: @autoclosure @escaping @Sendable () -> String = "",
        isRare: Bool = false,
        condition: (@Sendable () -> Bool)? = nil,
        scope: OptionScope = .host,
        requires: OptionRequirement<Values>? = nil,
        excludes: [String] = [],
        yieldsTo: [String] = [],
        repetition: OptionRepetition? = nil,
        curl: [CurlSpelling] = [],
        isMissingInCurl: Bool = false,
        isCopiedToCurl: Bool = false,
        showsResponse: Bool = false,
        isForWebSockets: Bool = true,
        isFirstDecisive: Bool = false,
        writes: WrittenFiles? = nil,
        secrets: ArgumentSecrets? = nil,
        holdsCredentials: Bool = false,
        variables: OptionVariables<Values>? = nil,
        effect: Effect
    ) {
        entry = OptionEntry(
            spellings: spellings,
            summary: summary,
            makeDetails: details,
            isRare: isRare,
            condition: condition,
            shape: effect.shape
        )
        self.effect = effect
        requirement = requires
        self.variables = variables
        relations = OptionRelations(
            scope: scope,
            yieldsTo: yieldsTo,
            excludes: excludes,
            repetition: repetition,
            curl: curl,
            isMissingInCurl: isMissingInCurl,
            isCopiedToCurl: isCopiedToCurl,
            showsResponse: showsResponse,
            isForWebSockets: isForWebSockets,
            isFirstDecisive: isFirstDecisive,
            writes: writes,
            secrets: secrets,
            holdsCredentials: holdsCredentials
        )
    }

    /// Creates an option of composed values from an option of one of their parts.
    init<Part>(_ option: Option<Part>, of part: @escaping Slot<Part>, in section: String) {
        entry = option.entry
        entry.section = section
        relations = option.relations
        requirement = option.requirement.map { requirement in
            OptionRequirement(
                concernsConfigured: requirement.concernsConfigured, dependsOn: requirement.dependsOn
            ) {
                requirement.failure($0[keyPath: part()])
            }
        }
        variables = option.variables.map { variables in
            OptionVariables { found in
                variables.settings(found).map { setting in
                    .init(name: setting.name, argument: setting.argument) { setting.store(&$0[keyPath: part()]) }
                }
            }
        }
        let effect = option.effect
        self.effect = Effect(
            shape: effect.shape,
            parse: { (text) throws(UsageError) in
                let store = try effect.parse(text)
                return { store(&$0[keyPath: part()]) }
            },
            slot: effect.slot
        )
    }

    /// Returns the property that an option sets. Options with the same property form a group: the last one counts.
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<Values, Value>
}

/// A result builder for lists of options.
@resultBuilder
enum OptionList<Values> {
    static func buildExpression(_ option: Option<Values>) -> Option<Values> { option }

    static func buildBlock(_ options: Option<Values>...) -> [Option<Values>] { options }
}
