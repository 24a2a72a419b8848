extension Option {
    /// Stores a parsed argument.
    typealias Store = @Sendable (inout Values) -> Void

    /// The effect of an option on the values.
    ///
    /// It only parses and stores text: nothing is opened or resolved.
    struct Effect: Sendable {
        let shape: OptionEntry.Shape
        /// Parses the argument, which is `nil` for an option without one.
        let parse: @Sendable (String?) throws(UsageError) -> Store
        /// Returns the property that it sets, the identity of a group of options.
        ///
        /// A function, as creating a key path takes about 10 µs, and few of a hundred options are used at once.
        let slot: @Sendable () -> AnyKeyPath
    }
}

extension Option.Effect {
    /// Parses an argument; throws the expected format.
    typealias Parse<Value> = @Sendable (String) throws(UsageError) -> Value

    /// Returns a flag that stores a value.
    static func flag<Value: Sendable>(_ slot: @autoclosure @escaping Option<Values>.Slot<Value>, sets value: Value)
        -> Self
    {
        Self(shape: .flag, setting: slot()) { _ in { $0[keyPath: slot()] = value } }
    }

    /// Returns a flag that changes a value each time.
    static func flag<Value>(
        _ slot: @autoclosure @escaping Option<Values>.Slot<Value>,
        changing change: @escaping @Sendable (inout Value) -> Void
    ) -> Self {
        Self(shape: .flag, setting: slot()) { _ in { change(&$0[keyPath: slot()]) } }
    }

    /// Returns an option with an argument; the last one counts.
    ///
    /// - Parameter parse: Returns the value of an argument.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        parsing parse: @escaping Parse<Value> = { (text) throws(UsageError) in try Value(argument: text) },
        sets slot: @autoclosure @escaping Option<Values>.Slot<Value?>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), setting: slot()) { (text) throws(UsageError) in
            let value = try parse(text ?? "")
            return { $0[keyPath: slot()] = value }
        }
    }

    /// Returns an option that may be repeated; all arguments are stored in order.
    ///
    /// - Parameter parse: Returns the value of an argument.
    static func argument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        parsing parse: @escaping Parse<Value> = { (text) throws(UsageError) in try Value(argument: text) },
        appendsTo slot: @autoclosure @escaping Option<Values>.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), setting: slot()) { (text) throws(UsageError) in
            let value = try parse(text ?? "")
            return { $0[keyPath: slot()].append(value) }
        }
    }

    /// Returns an option whose argument is a list; repeated ones are concatenated.
    static func list<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        appendsTo slot: @autoclosure @escaping Option<Values>.Slot<[Value]>
    ) -> Self {
        Self(shape: .argument(name: name, hint: hint), setting: slot()) { (text) throws(UsageError) in
            let words = (text ?? "").split(separator: ",", omittingEmptySubsequences: false)
            let elements = try words.map { (word) throws(UsageError) in try Value(argument: String(word)) }
            return { $0[keyPath: slot()] += elements }
        }
    }

    /// Returns an option with an optional argument that defaults to `absent`.
    static func optionalArgument<Value: ArgumentValue>(
        _ name: String,
        hint: ArgumentHint = Value.hint,
        sets slot: @autoclosure @escaping Option<Values>.Slot<Value?>,
        orElse absent: Value
    ) -> Self {
        Self(shape: .optionalArgument(name: name, hint: hint), setting: slot()) { (text) throws(UsageError) in
            let value = try text.map { (text) throws(UsageError) in try Value(argument: text) } ?? absent
            return { $0[keyPath: slot()] = value }
        }
    }

    init<Value>(
        shape: OptionEntry.Shape,
        setting slot: @autoclosure @escaping Option<Values>.Slot<Value>,
        parse: @escaping @Sendable (String?) throws(UsageError) -> Option<Values>.Store
    ) {
        self.shape = shape
        self.parse = parse
        self.slot = { slot() }
    }
}
