extension Option {
    /// What an option takes, and what it writes into an ``Invocation``.
    ///
    /// Storing only checks the text and keeps it: nothing is opened, resolved or looked up.
    struct Effect: Sendable {
        enum Shape: Equatable, Sendable {
            /// Takes nothing.
            case flag
            /// Takes nothing and means more each time it is given.
            case count
            /// Takes one argument, shown as `name` in the help.
            case argument(name: String, hint: Hint)
            /// Takes an argument only where `=` joins it to the option.
            case optionalArgument(name: String, hint: Hint)
        }

        let shape: Shape
        /// Stores the argument; `nil` for an option without one.
        let store: @Sendable (inout Invocation, String?) throws(UsageError) -> Void
        /// Puts the default back: what `--no-OPTION` does.
        let reset: @Sendable (inout Invocation) -> Void
    }

    /// Returns a place in an ``Invocation``. Options that share one form a group: the last of them wins.
    ///
    /// A function, since making a key path takes some ten microseconds, and few of a hundred options are given at once.
    typealias Slot<Value> = @Sendable () -> WritableKeyPath<Invocation, Value>
}

extension Option.Effect {
    /// A flag that stores one fixed value.
    static func flag<Value: Sendable>(_ slot: @autoclosure @escaping Option.Slot<Value>, sets value: Value) -> Self {
        Self(shape: .flag, resetting: slot()) { (invocation, _) in invocation[keyPath: slot()] = value }
    }

    /// A flag that appends one fixed value to a list.
    static func flag<Value: Sendable>(_ slot: @autoclosure @escaping Option.Slot<[Value]>, appends values: [Value])
        -> Self
    {
        Self(shape: .flag, resetting: slot()) { (invocation, _) in invocation[keyPath: slot()] += values }
    }

    /// A flag that counts how often it was given.
    static func count(_ slot: @autoclosure @escaping Option.Slot<Int>) -> Self {
        Self(shape: .count, resetting: slot()) { (invocation, _) in invocation[keyPath: slot()] += 1 }
    }

    /// An argument; of several the last wins.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: Option.Hint = Value.hint,
        sets slot: @autoclosure @escaping Option.Slot<Value?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (invocation, text) throws(UsageError) in
            invocation[keyPath: slot()] = try Value(argument: text ?? "")
        }
    }

    /// Text that may be empty; of several the last wins.
    ///
    /// - Parameter mayHoldControls: Whether it may hold control characters too.
    static func text(
        _ name: String, mayHoldControls: Bool = false, sets slot: @autoclosure @escaping Option.Slot<String?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: .anything), resetting: slot()) {
            (invocation, text) throws(UsageError) in
            guard mayHoldControls || text?.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) != true else {
                throw UsageError("\(name) cannot hold control characters")
            }
            invocation[keyPath: slot()] = text
        }
    }

    /// An argument that may be given several times; all are kept, in order.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: Option.Hint = Value.hint,
        appendsTo slot: @autoclosure @escaping Option.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (invocation, text) throws(UsageError) in
            invocation[keyPath: slot()].append(try Value(argument: text ?? ""))
        }
    }

    /// An argument that holds several values at once; those of a repeated option are kept, in order.
    static func list<Value: ArgumentValue>(
        _ name: String,
        hint: Option.Hint = Value.hint,
        appendsTo slot: @autoclosure @escaping Option.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), resetting: slot()) {
            (invocation, text) throws(UsageError) in
            let slot = slot()
            for word in (text ?? "").split(separator: ",", omittingEmptySubsequences: false) {
                invocation[keyPath: slot].append(try Value(argument: String(word)))
            }
        }
    }

    /// An argument that may be left out, which stands for `absent`.
    static func optionalArgument<Value: ArgumentValue>(
        _ name: String,
        hint: Option.Hint = Value.hint,
        sets slot: @autoclosure @escaping Option.Slot<Value?>,
        orElse absent: Value
    ) -> Self {
        Self(shape: .optionalArgument(name: name, hint: hint), resetting: slot()) {
            (invocation, text) throws(UsageError) in
            guard let text else { return invocation[keyPath: slot()] = absent }
            invocation[keyPath: slot()] = try Value(argument: text)
        }
    }

    init<Value>(
        shape: Shape,
        resetting slot: @autoclosure @escaping Option.Slot<Value>,
        store: @escaping @Sendable (inout Invocation, String?) throws(UsageError) -> Void
    ) {
        self.shape = shape
        self.store = store
        reset = { $0[keyPath: slot()] = Invocation()[keyPath: slot()] }
    }
}
