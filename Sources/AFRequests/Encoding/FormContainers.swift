/// The members of an object, by name.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FormTreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    private func member(_ key: any CodingKey) -> FormTreeEncoder {
        encoder.encoder(for: encoder.node.appendMember(key.stringValue), at: key)
    }

    /// Repeated requests for a name return the same container, as in Foundation's encoders.
    private func opened(_ key: any CodingKey) -> FormTreeEncoder {
        encoder.encoder(for: encoder.node.member(named: key.stringValue), at: key)
    }

    func encodeNil(forKey key: Key) { member(key).encodeNil() }

    func encode(_ value: some Encodable, forKey key: Key) throws { try member(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        opened(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { opened(key).unkeyedContainer() }

    func superEncoder() -> any Encoder { opened(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { opened(key) }

    // `nil` values are encoded explicitly; the synthesized `encode(to:)` would omit them.

    private func encodeOptional(_ value: (some Encodable)?, _ key: Key) throws {
        if let value { try member(key).encode(value) } else { encodeNil(forKey: key) }
    }

    func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodeOptional(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodeOptional(value, key) }
}

/// The elements of an array, in order.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: FormTreeEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.node.elementCount }

    private func element() -> FormTreeEncoder {
        let key = ElementKey(index: count)
        return encoder.encoder(for: encoder.node.appendElement(), at: key)
    }

    func encodeNil() { element().encodeNil() }

    func encode(_ value: some Encodable) throws { try element().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { element().unkeyedContainer() }

    func superEncoder() -> any Encoder { element() }
}

/// The key under which a superclass encodes itself.
private struct SuperKey: CodingKey {
    let stringValue = "super"
    let intValue: Int? = nil
    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}

/// The index of an array's element.
private struct ElementKey: CodingKey {
    let index: Int
    var stringValue: String { "\(index)" }
    var intValue: Int? { index }
    init(index: Int) { self.index = index }
    init?(stringValue: String) { nil }
    init?(intValue: Int) { self.init(index: intValue) }
}
