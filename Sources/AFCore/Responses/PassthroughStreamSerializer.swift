public import FoundationEssentials

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
