public import FoundationEssentials

/// A decoder of bodies.
public protocol DataDecoder: Sendable {
    /// Returns the decoded value.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
