extension Option {
    /// What an option takes, and what it writes into the values.
    ///
    /// Storing only checks the text and keeps it: nothing is opened, resolved or looked up.
    struct Effect: Sendable {
        let shape: OptionEntry.Shape
        /// Stores the argument; `nil` for an option without one.
        let store: @Sendable (inout Values, String?) throws(UsageError) -> Void
        /// Puts the default back: what `--no-OPTION` does.
        let reset: @Sendable (inout Values) -> Void
    }
}

extension Option.Effect {
    /// A flag that stores one fixed value.
    static func flag<Value: Sendable>(_ slot: @autoclosure @escaping Option<Values>.Slot<Value>, sets value: Value)
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (values, _) in values[keyPath: slot()] = value }
    }

    /// A flag that appends one fixed value to a list.
    static func flag<Value: Sendable>(
        _ slot: @autoclosure @escaping Option<Values>.Slot<[Value]>, appends elements: [Value]
    )
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (values, _) in values[keyPath: slot()] += elements }
    }

    /// A flag that counts how often it was given.
    static func count(_ slot: @autoclosure @escaping Option<Values>.Slot<Int>) -> Self {
        Self(shape: .count, resetting: slot()) { (values, _) in values[keyPath: slot()] += 1 }
    }

    /// An argument; of several the last wins.
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

    /// Text that may be empty; of several the last wins.
    ///
    /// - Parameter mayHoldControls: Whether it may hold control characters too.
    static func text(
        _ name: String, mayHoldControls: Bool = false, sets slot: @autoclosure @escaping Option<Values>.Slot<String?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: .anything), resetting: slot()) {
            (values, text) throws(UsageError) in
            guard mayHoldControls || text?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
                throw UsageError("\(name) cannot hold control characters")
            }
            values[keyPath: slot()] = text
        }
    }

    /// An argument that may be given several times; all are kept, in order.
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

    /// An argument that holds several values at once; those of a repeated option are kept, in order.
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

    /// An argument that may be left out, which stands for `absent`.
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
