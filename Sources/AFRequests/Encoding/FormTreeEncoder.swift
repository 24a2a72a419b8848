internal import FoundationEssentials

/// An encoder that produces nodes.
struct FormTreeEncoder: Encoder {
    let node: FormNode
    let codingPath: [any CodingKey]
    let rules: URLEncodedFormEncoder
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.becomeObject()
        return KeyedEncodingContainer(FormKeyedContainer(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.becomeArray()
        return FormUnkeyedContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    /// Returns an encoder for a nested value.
    func encoder(for node: FormNode, at key: any CodingKey) -> FormTreeEncoder {
        FormTreeEncoder(node: node, codingPath: codingPath + [key], rules: rules)
    }

    private func encode(_ date: Date) throws {
        switch rules.dateEncoding {
        case .deferredToDate: try date.encode(to: self)
        case .secondsSince1970: node.become("\(date.timeIntervalSince1970)")
        case .millisecondsSince1970: node.become("\(date.timeIntervalSince1970 * 1000)")
        case .iso8601: node.become(date.ISO8601Format())
        case .formatted(let formatter): node.become(formatter.string(from: date))
        case .custom(let encode): node.become(try encode(date))
        }
    }

    private func encode(_ data: Data) throws {
        switch rules.dataEncoding {
        case .deferredToData: try data.encode(to: self)
        case .base64: node.become(data.base64EncodedString())
        case .custom(let encode): node.become(try encode(data))
        }
    }
}

extension FormTreeEncoder: SingleValueEncodingContainer {
    func encode(_ value: some Encodable) throws {
        switch value {
        case let date as Date: try encode(date)
        case let data as Data: try encode(data)
        // Foundation encodes these types by their properties, which servers do not expect.
        case let decimal as Decimal: node.become(decimal.description)
        case let url as URL: node.become(url.absoluteString)
        default: try value.encode(to: self)
        }
    }

    func encodeNil() {
        if let text = rules.nilEncoding.encoding() { node.become(text) }
    }

    func encode(_ value: Bool) {
        switch rules.boolEncoding {
        case .numeric: node.become(value ? "1" : "0")
        case .literal: node.become(value ? "true" : "false")
        }
    }

    func encode(_ value: String) { node.become(value) }
    func encode(_ value: Double) { node.become("\(value)") }
    func encode(_ value: Float) { node.become("\(value)") }
    func encode(_ value: Int) { node.become("\(value)") }
    func encode(_ value: Int8) { node.become("\(value)") }
    func encode(_ value: Int16) { node.become("\(value)") }
    func encode(_ value: Int32) { node.become("\(value)") }
    func encode(_ value: Int64) { node.become("\(value)") }
    func encode(_ value: UInt) { node.become("\(value)") }
    func encode(_ value: UInt8) { node.become("\(value)") }
    func encode(_ value: UInt16) { node.become("\(value)") }
    func encode(_ value: UInt32) { node.become("\(value)") }
    func encode(_ value: UInt64) { node.become("\(value)") }
}
