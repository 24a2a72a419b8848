public import FoundationEssentials

/// Anything that makes values from a body.
public protocol DataDecoder: Sendable {
    /// The value that the data stands for.
    func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D
}

extension JSONDecoder: DataDecoder {}

extension PropertyListDecoder: DataDecoder {}
