extension Option {
    /// The effect of an option on the values.
    ///
    /// It only parses and stores text: nothing is opened or resolved.
    struct Effect: Sendable {
        let shape: OptionEntry.Shape
        /// Stores the argument, which is `nil` for an option without one.
        let store: @Sendable (inout Values, String?) throws(UsageError) -> Void
        /// Restores the default, for `--no-OPTION`.
        let reset: @Sendable (inout Values) -> Void
    }
}

extension Option.Effect where Values: OptionValues {
    /// Returns a flag that stores a value.
    static func flag<Value: Sendable>(_ slot: @autoclosure @escaping Option<Values>.Slot<Value>, sets value: Value)
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (values, _) in values[keyPath: slot()] = value }
    }

    /// Returns a flag that appends a value to a list.
    static func flag<Value: Sendable>(
        _ slot: @autoclosure @escaping Option<Values>.Slot<[Value]>, appends elements: [Value]
    )
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (values, _) in values[keyPath: slot()] += elements }
    }

    /// Returns a flag that inserts a member into a set.
    static func flag<Members: OptionSet & Sendable>(
        _ slot: @autoclosure @escaping Option<Values>.Slot<Members>, inserts members: Members
    )
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (values, _) in values[keyPath: slot()].formUnion(members) }
    }

    /// Returns a flag that is counted.
    static func count(_ slot: @autoclosure @escaping Option<Values>.Slot<Int>) -> Self {
        Self(shape: .count, resetting: slot()) { (values, _) in values[keyPath: slot()] += 1 }
    }

    /// Returns an option with an argument; the last one counts.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        sets slot: @autoclosure @escaping Option<Values>.Slot<Value?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (values, text) throws(UsageError) in
            values[keyPath: slot()] = try Value(argument: text ?? "")
        }
    }

    /// Returns an option with text that may be empty; the last one counts.
    ///
    /// - Parameter mayHoldControls: Whether it may contain control characters.
    static func text(
        _ name: String, mayHoldControls: Bool = false, sets slot: @autoclosure @escaping Option<Values>.Slot<String?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: .anything), resetting: slot()) {
            (values, text) throws(UsageError) in
            guard mayHoldControls || text?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
                throw UsageError("\(name) must not contain control characters")
            }
            values[keyPath: slot()] = text
        }
    }

    /// Returns an option that may be repeated; all arguments are stored in order.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        appendsTo slot: @autoclosure @escaping Option<Values>.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (values, text) throws(UsageError) in
            values[keyPath: slot()].append(try Value(argument: text ?? ""))
        }
    }

    /// Returns an option whose argument is a list; repeated ones are concatenated.
    static func list<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        appendsTo slot: @autoclosure @escaping Option<Values>.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (values, text) throws(UsageError) in
            let slot = slot()
            for word in (text ?? "").split(separator: ",", omittingEmptySubsequences: false) {
                values[keyPath: slot].append(try Value(argument: String(word)))
            }
        }
    }

    /// Returns an option with an optional argument that defaults to `absent`.
    static func optionalArgument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        sets slot: @autoclosure @escaping Option<Values>.Slot<Value?>,
        orElse absent: Value
    ) -> Self {
        Self(shape: .optionalArgument(name: name, hint: hint), resetting: slot()) {
            (values, text) throws(UsageError) in
            guard let text else { return values[keyPath: slot()] = absent }
            values[keyPath: slot()] = try Value(argument: text)
        }
    }

    init<Value>(
        shape: OptionEntry.Shape,
        resetting slot: @autoclosure @escaping Option<Values>.Slot<Value>,
        store: @escaping @Sendable (inout Values, String?) throws(UsageError) -> Void
    ) {
        self.shape = shape
        self.store = store
        reset = { $0[keyPath: slot()] = Values()[keyPath: slot()] }
    }
}
