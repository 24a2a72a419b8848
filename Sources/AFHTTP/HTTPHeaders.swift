/// Header fields in the order and the spelling they were given, including repetitions.
///
/// Names are compared without regard to case (RFC 9110 §5.1). `add` and `update` replace fields of the same name, as in
/// Alamofire; ``append(name:value:)`` adds another field line.
public struct HTTPHeaders: Hashable, Sendable {
    private var fields: [HTTPHeader] = []

    /// Creates an empty collection.
    public init() {}

    /// Creates a collection from fields; if a name is repeated, the last value replaces the first.
    public init(_ headers: [HTTPHeader]) {
        headers.forEach { update($0) }
    }

    /// Creates a collection from a dictionary; the order of the fields is unspecified.
    public init(_ dictionary: [String: String]) {
        dictionary.forEach { update(name: $0.key, value: $0.value) }
    }

    /// Creates a collection from fields, including repetitions.
    public init(repeating headers: some Sequence<HTTPHeader>) {
        fields = Array(headers)
    }

    /// Replaces the first field of the same name, or appends the field; equal to ``update(name:value:)``.
    public mutating func add(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Replaces the first field of the same name, or appends the field; equal to ``update(_:)``.
    public mutating func add(_ header: HTTPHeader) { update(header) }

    /// Replaces the first field of the same name, including its name, or appends the field.
    public mutating func update(name: String, value: String) { update(HTTPHeader(name: name, value: value)) }

    /// Replaces the first field of the same name, including its name, or appends the field.
    public mutating func update(_ header: HTTPHeader) {
        guard let index = fields.firstIndex(where: { $0.name.isSameFieldName(as: header.name) }) else {
            fields.append(header)
            return
        }
        fields[index] = header
        removeAll(named: header.name, after: index)
    }

    /// Appends a field line; fields of the same name stay.
    public mutating func append(name: String, value: String) { append(HTTPHeader(name: name, value: value)) }

    /// Appends a field line; fields of the same name stay.
    public mutating func append(_ header: HTTPHeader) { fields.append(header) }

    /// Removes all fields of a name.
    public mutating func remove(name: String) {
        fields.removeAll { $0.name.isSameFieldName(as: name) }
    }

    /// Returns the value of the first field of a name.
    public func value(for name: String) -> String? {
        fields.first { $0.name.isSameFieldName(as: name) }?.value
    }

    /// The number of the first `Content-Length`; `nil` if the field is missing or has another value.
    package var contentLength: Int64? { value(for: "Content-Length").flatMap { $0.utf8.decimalValue } }

    /// Returns the elements of a field that is a list, such as `Vary`, in lower case.
    package func listed(_ name: String) -> [String] {
        values(for: name).flatMap(\.listElements).map { String(decoding: $0.map(\.asciiLowercased), as: UTF8.self) }
    }

    /// Returns the elements of a field that is a list, such as `Digest`, as they were sent.
    package func elements(_ name: String) -> [Substring] {
        values(for: name).flatMap(\.listElements).map { Substring(decoding: $0, as: UTF8.self) }
    }

    /// The codings of `Content-Encoding` in the order of the field (RFC 9110 §8.4), without `identity` and `none`; `x-gzip`
    /// is `gzip`.
    package var contentCodings: [String] {
        listed("Content-Encoding").filter { $0 != "identity" && $0 != "none" }.map { $0 == "x-gzip" ? "gzip" : $0 }
    }

    /// Returns the values of all fields of a name, in order.
    public func values(for name: String) -> [String] {
        fields.filter { $0.name.isSameFieldName(as: name) }.map(\.value)
    }

    /// The value of the first field of a name; setting it updates the field, and `nil` removes it.
    public subscript(_ name: String) -> String? {
        get { value(for: name) }
        set {
            if let newValue { update(name: name, value: newValue) } else { remove(name: name) }
        }
    }

    /// Sorts by lowercased name; fields of one name keep their order.
    public mutating func sort() { self = sorted() }

    /// Returns the fields sorted by lowercased name; fields of one name keep their order.
    public func sorted() -> HTTPHeaders {
        let keyed = fields.enumerated().map { (key: $0.element.name.lowercased(), index: $0.offset, field: $0.element) }
        return HTTPHeaders(
            repeating: keyed.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.field)
        )
    }

    /// The values by name, in its first spelling; repeated fields are joined with commas (RFC 9110 §5.3).
    public var dictionary: [String: String] {
        var spellings: [String: String] = [:]
        return fields.reduce(into: [:]) { values, field in
            let name = spellings[field.name.lowercased(), default: field.name]
            spellings[field.name.lowercased()] = name
            values[name] = values[name].map { "\($0), \(field.value)" } ?? field.value
        }
    }

    private mutating func removeAll(named name: String, after first: Int) {
        var index = fields.count - 1
        while index > first {
            if fields[index].name.isSameFieldName(as: name) { fields.remove(at: index) }
            index -= 1
        }
    }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
    /// Creates a collection from a literal; if a name is repeated, the last value replaces the first.
    public init(dictionaryLiteral elements: (String, String)...) {
        elements.forEach { update(name: $0.0, value: $0.1) }
    }
}

extension HTTPHeaders: ExpressibleByArrayLiteral {
    /// Creates a collection from a literal; if a name is repeated, the last value replaces the first.
    public init(arrayLiteral elements: HTTPHeader...) {
        self.init(elements)
    }
}

// The requirements of a collection of field lines.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension HTTPHeaders: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> HTTPHeader { fields[position] }
}

extension HTTPHeaders: CustomStringConvertible {
    /// One line per field, including secrets.
    public var description: String { fields.map(\.description).joined(separator: "\n") }
}

extension String {
    /// Compares ASCII letters without regard to case and all other bytes exactly.
    package func isSameFieldName(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var left = utf8.makeIterator()
        var right = other.utf8.makeIterator()
        while let byte = left.next(), let counterpart = right.next() {
            if byte != counterpart, byte.asciiLowercased != counterpart.asciiLowercased { return false }
        }
        return true
    }
}

extension UInt8 {
    package var asciiLowercased: UInt8 {
        self >= UInt8(ascii: "A") && self <= UInt8(ascii: "Z") ? self | 0x20 : self
    }
}
