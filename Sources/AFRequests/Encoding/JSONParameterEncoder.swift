public import FoundationEssentials

/// Encodes an `Encodable` value as a JSON body and sets JSON's `Content-Type`, unless the request has one.
public final class JSONParameterEncoder: ParameterEncoder {
    /// An encoder that writes one line.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

    /// An encoder that writes several lines, indented.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }

    /// An encoder that sorts the members of every object by key.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// The encoder that writes the JSON.
    public let encoder: JSONEncoder

    /// Creates a parameter encoder.
    public init(encoder: JSONEncoder = JSONEncoder()) { self.encoder = encoder }

    private convenience init(formatting: JSONEncoder.OutputFormatting) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        self.init(encoder: encoder)
    }

    /// Returns the request with the encoded parameters.
    ///
    /// - Throws: `AFError.parameterEncodingFailed` (as in Alamofire, not `parameterEncoderFailed`) with the encoder's
    ///   error.
    public func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        var request = request
        do {
            request.httpBody = try encoder.encode(parameters)
        } catch {
            throw AFError.parameterEncodingFailed(reason: .jsonEncodingFailed(error: error))
        }
        if request.headers["Content-Type"] == nil {
            request.headers.update(.contentType("application/json"))
        }
        return request
    }
}

extension ParameterEncoder where Self == JSONParameterEncoder {
    /// The default JSON encoder.
    public static var json: JSONParameterEncoder { .default }

    /// Returns a parameter encoder that uses `encoder`.
    public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}
