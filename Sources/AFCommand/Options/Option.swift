/// Values that options set. A new one holds what applies where nothing was typed.
protocol OptionValues: Equatable, Sendable {
    init()
}

/// One logical option: every spelling of it, every sentence about it, and its effect on `Values`.
struct Option<Values: OptionValues>: Sendable {
    private(set) var entry: OptionEntry
    let effect: Effect

    init(
        _ spellings: String...,
        summary: String,
        details: @autoclosure @escaping @Sendable () -> String = "",
        isHidden: Bool = false,
        effect: Effect
    ) {
        entry = OptionEntry(
            spellings: spellings,
            summary: summary,
            makeDetails: details,
            isHidden: isHidden,
            shape: effect.shape
        )
        self.effect = effect
    }

    /// Creates an option of composed values from an option of one of their parts.
    init<Part>(_ option: Option<Part>, of part: @escaping Slot<Part>, in section: String) {
        entry = option.entry
        entry.section = section
        let effect = option.effect
        self.effect = Effect(
            shape: effect.shape,
            store: { (values, text) throws(UsageError) in try effect.store(&values[keyPath: part()], text) },
            reset: { effect.reset(&$0[keyPath: part()]) }
        )
    }

    /// Returns a place in the values. Options that share one form a group: the last of them wins.
    ///
    /// A function, since making a key path takes some ten microseconds, and few of a hundred options are given at once.
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<Values, Value>
}

/// Lets options be listed one below the other.
@resultBuilder
enum OptionList<Values: OptionValues> {
    static func buildExpression(_ option: Option<Values>) -> Option<Values> { option }

    static func buildBlock(_ options: Option<Values>...) -> [Option<Values>] { options }
}
