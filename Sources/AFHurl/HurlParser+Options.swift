/// Options of entries.
extension HurlParser {
    mutating func option() throws(HurlSyntaxError) -> HurlOption {
        skipLines()
        skipBlanks()
        let start = reader.cursor
        let text = reader.read { $0.isAlphanumeric || $0 == "-" || $0 == "." || $0 == "_" }
        guard !text.isEmpty else { throw otherwise("option") }
        skipBlanks()
        guard reader.skip(":") else { throw otherwise(":") }
        skipBlanks()
        guard let name = HurlOption.Name(rawValue: text) else {
            throw HurlSyntaxError(.option(text), at: start.position)
        }
        let value = try optionValue(name.kind)
        let range = reader.range(from: start)
        try endLine()
        return HurlOption(name: name, value: value, range: range)
    }

    private mutating func optionValue(_ kind: HurlOption.Kind) throws(HurlSyntaxError) -> HurlOption.Value {
        switch kind {
        case .text: return .text(try unquotedTemplate())
        case .filename: return .text(try filenameTemplate())
        case .filenameWithPassword: return .text(try filenameWithPassword())
        case .boolean:
            if let value = boolean() { return .boolean(.value(value)) }
            return .boolean(.placeholder(try placeholder(or: "true|false")))
        case .natural:
            if let value = try natural() { return .natural(.value(value)) }
            return .natural(.placeholder(try placeholder(or: "integer >= 0")))
        case .count:
            if reader.skip("-1") { return .count(.value(nil)) }
            if let value = try natural() { return .count(.value(value)) }
            return .count(.placeholder(try placeholder(or: "integer >= -1")))
        case .duration:
            if let count = try natural() { return .duration(.value(HurlDuration(count, try durationUnit()))) }
            return .duration(.placeholder(try placeholder(or: "integer")))
        case .verbosity:
            if let value = HurlOption.Verbosity.allCases.first(where: { reader.isNext($0.rawValue) }),
                reader.skip(value.rawValue)
            {
                return .verbosity(.value(value))
            }
            return .verbosity(.placeholder(try placeholder(or: "brief|verbose|debug")))
        case .definition: return try definition()
        }
    }

    private mutating func durationUnit() throws(HurlSyntaxError) -> HurlDuration.Unit? {
        let start = reader.position
        let text = reader.read(while: \.isASCIILetter)
        if text.isEmpty { return nil }
        guard let unit = HurlDuration.Unit(rawValue: text) else {
            throw HurlSyntaxError(.durationUnit(text), at: start)
        }
        return unit
    }

    /// Reads the definition of a variable.
    private mutating func definition() throws(HurlSyntaxError) -> HurlOption.Value {
        let start = reader.position
        guard reader.next?.isASCIILetter == true else { throw error(.expected("variable name")) }
        let name = reader.read { $0.isAlphanumeric || $0 == "_" || $0 == "-" }
        if HurlFunction(rawValue: name) != nil { throw HurlSyntaxError(.reservedVariable(name), at: start) }
        skipBlanks()
        guard reader.skip("=") else { throw error(.expected("=")) }
        skipBlanks()
        return .definition(name, try definedValue())
    }

    private mutating func definedValue() throws(HurlSyntaxError) -> HurlDefinedValue {
        if reader.next == "\"" { return .string(try quotedTemplate()) }
        let start = reader.cursor
        let value = constantOrNumber()
        if let value, isAtEndOfValue { return value }
        reader.cursor = start
        return .string(try unquotedTemplate())
    }

    /// Reads a value that is no string; returns `nil` if none follows.
    private mutating func constantOrNumber() -> HurlDefinedValue? {
        if skipWord("null") { return .null }
        if let boolean = boolean() { return .boolean(boolean) }
        return numberOfVariable().map { .number($0) }
    }

    private var isAtEndOfValue: Bool {
        var rest = self
        do throws(HurlSyntaxError) {
            try rest.endLine()
            return true
        } catch {
            return false
        }
    }
}
