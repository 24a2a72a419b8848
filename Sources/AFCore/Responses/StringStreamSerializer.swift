public import FoundationEssentials

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
