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
