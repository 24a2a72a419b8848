/// The values of options. A new instance has the defaults.
protocol OptionValues: Equatable, Sendable {
    init()
}

/// An option: its spellings, its documentation, and its effect on `Values`.
///
/// `Values` has no constraint, which the runtime would check for each subject at the start of the program, at 30 µs each.
struct Option<Values>: Sendable {
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

    /// Returns the property that an option sets. Options with the same property form a group: the last one counts.
    ///
    /// A function, as creating a key path takes about 10 µs, and few of a hundred options are used at once.
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<Values, Value>
}

/// A result builder for lists of options.
@resultBuilder
enum OptionList<Values> {
    static func buildExpression(_ option: Option<Values>) -> Option<Values> { option }

    static func buildBlock(_ options: Option<Values>...) -> [Option<Values>] { options }
}
