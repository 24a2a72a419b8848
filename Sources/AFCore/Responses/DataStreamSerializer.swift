public import FoundationEssentials

/// Makes a value from each piece of a streamed body.
///
/// A piece is what the network gave at once: where values begin and end in the body is not looked at.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
    /// What pieces become.
    associatedtype SerializedObject: Sendable

    /// The value of one piece.
    ///
    /// - Throws: Anything; what is no `AFError` arrives as a `customSerializationFailed`.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// Gives the pieces of a streamed body as they are.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// A serializer, which has no choices.
    public init() {}

    /// The piece itself.
    public func serialize(_ data: Data) throws -> Data { data }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// Gives the pieces as they are.
    public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

/// Gives each piece of a streamed body as UTF-8 text, where bytes that are none become U+FFFD; so do the two halves of a
/// character that the network cut. ``DataStreamRequest/responseStreamString(on:stream:)`` puts those together.
public struct StringStreamSerializer: DataStreamSerializer {
    /// A serializer, which has no choices.
    public init() {}

    /// The piece as text; never throws.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// Gives each piece as UTF-8 text.
    public static var string: StringStreamSerializer { StringStreamSerializer() }
}
