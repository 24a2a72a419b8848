public import AFHTTP
public import FoundationEssentials

/// Encodes parameters as a property list in the body.
///
/// Values may be strings, numbers, `Bool`, `Date`, `Data`, arrays, and dictionaries with `String` keys; `nil` values
/// are omitted. The method is not checked: a GET with a body fails when the request is validated.
public struct PropertyListEncoding: ParameterEncoding {
    /// The format of the property list.
    public typealias Format = PropertyListDecoder.PropertyListFormat

    /// The reason why parameters cannot be encoded as a property list.
    public enum Error: Swift.Error, Hashable {
        /// A value has no form in property lists: `null`, or an unsupported type.
        case invalidPropertyListObject
        /// Property lists cannot be written in this format, only read.
        case unwritableFormat
    }

    /// An encoding as XML.
    public static var `default`: PropertyListEncoding { PropertyListEncoding() }
    /// An encoding as XML.
    public static var xml: PropertyListEncoding { PropertyListEncoding(format: .xml) }
    /// An encoding in the binary format.
    public static var binary: PropertyListEncoding { PropertyListEncoding(format: .binary) }

    /// The format of the property list.
    public let format: Format

    /// Creates an encoding in XML or the binary format.
    public init(format: Format = .xml) {
        self.format = format
    }

    /// Returns the request with a dictionary as its body and, unless it has one, a property list's `Content-Type`.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` with ``Error`` in its `customEncodingFailed`.
    public func encode(_ urlRequest: any URLRequestConvertible, with parameters: Parameters?) throws -> URLRequest {
        var request = try urlRequest.asURLRequest()
        guard let parameters else { return request }
        let body: Data
        do {
            guard format != .openStep else { throw Error.unwritableFormat }
            let encoder = PropertyListEncoder()
            encoder.outputFormat = format
            body = try encoder.encode(try PropertyListNode(parameters))
        } catch {
            throw AFError.parameterEncodingFailed(reason: .customEncodingFailed(error: error))
        }
        if request.headers["Content-Type"] == nil {
            request.headers.update(.contentType("application/x-plist"))
        }
        request.httpBody = body
        return request
    }
}

extension PropertyListEncoding.Error: LocalizedError {
    /// The message: lower case, without full stop.
    public var errorDescription: String? {
        switch self {
        case .invalidPropertyListObject: "a value in the parameters has no form in a property list"
        case .unwritableFormat: "property lists are written as XML or binary only"
        }
    }
}

/// A value of a property list.
private enum PropertyListNode: Encodable {
    case bool(Bool)
    case text(String)
    case integer(Int64)
    case natural(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case elements([PropertyListNode])
    case members([String: PropertyListNode])

    /// Creates a node.
    ///
    /// - Throws: ``PropertyListEncoding/Error/invalidPropertyListObject``
    init(_ value: Any) throws {
        switch value {
        case let bool as Bool: self = .bool(bool)
        case let text as any StringProtocol: self = .text(String(text))
        case let number as any BinaryInteger: self = try Self.integer(number)
        case let number as any BinaryFloatingPoint: self = .real(Double(number))
        case let date as Date: self = .date(date)
        case let data as Data: self = .data(data)
        case let members as [String: Any]:
            self = .members(try members.filter { !Self.isMissing($0.value) }.mapValues(PropertyListNode.init))
        case let elements as [Any]: self = .elements(try elements.map(PropertyListNode.init))
        default: throw PropertyListEncoding.Error.invalidPropertyListObject
        }
    }

    private static func integer(_ number: some BinaryInteger) throws -> PropertyListNode {
        if let number = Int64(exactly: number) { return .integer(number) }
        if let number = UInt64(exactly: number) { return .natural(number) }
        throw PropertyListEncoding.Error.invalidPropertyListObject
    }

    /// Whether the value is an `Optional` that is `nil`, inside an `Any`.
    private static func isMissing(_ value: Any) -> Bool {
        if case .missing = ParameterTree(value) { true } else { false }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let bool): try container.encode(bool)
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .natural(let number): try container.encode(number)
        case .real(let number): try container.encode(number)
        case .date(let date): try container.encode(date)
        case .data(let data): try container.encode(data)
        case .elements(let elements): try container.encode(elements)
        case .members(let members): try container.encode(members)
        }
    }
}
