public import FoundationEssentials

/// A serializer of the chunks of a streamed body.
///
/// Chunks are passed as received from the network: they are not aligned to values.
public protocol DataStreamSerializer<SerializedObject>: Sendable {
    /// The type of value.
    associatedtype SerializedObject: Sendable

    /// Returns the value of one chunk.
    ///
    /// - Throws: Any error; an error that is not an `AFError` is reported as `customSerializationFailed`.
    func serialize(_ data: Data) throws -> SerializedObject
}

/// A serializer that returns the chunks unchanged.
public struct PassthroughStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the chunk unchanged; never throws.
    public func serialize(_ data: Data) throws -> Data { data }
}

extension DataStreamSerializer where Self == PassthroughStreamSerializer {
    /// A serializer that returns the chunks unchanged.
    public static var passthrough: PassthroughStreamSerializer { PassthroughStreamSerializer() }
}

/// A serializer that returns each chunk as UTF-8 text, in which invalid bytes become U+FFFD, as do the parts of a split
/// character. ``DataStreamRequest/responseStreamString(on:stream:)`` assembles those.
public struct StringStreamSerializer: DataStreamSerializer {
    /// Creates a serializer.
    public init() {}

    /// Returns the chunk as text; never throws.
    public func serialize(_ data: Data) throws -> String { String(decoding: data, as: UTF8.self) }
}

extension DataStreamSerializer where Self == StringStreamSerializer {
    /// A serializer that returns each chunk as UTF-8 text.
    public static var string: StringStreamSerializer { StringStreamSerializer() }
}
