public import FoundationEssentials

/// Puts an `Encodable` value into the body as JSON, with JSON's `Content-Type` unless the request has one.
public final class JSONParameterEncoder: ParameterEncoder {
    /// On one line, members as the encoder has them.
    public static var `default`: JSONParameterEncoder { JSONParameterEncoder() }

    /// On several lines, indented.
    public static var prettyPrinted: JSONParameterEncoder { JSONParameterEncoder(formatting: .prettyPrinted) }

    /// With the members of every object in the order of their keys.
    public static var sortedKeys: JSONParameterEncoder { JSONParameterEncoder(formatting: .sortedKeys) }

    /// What writes the JSON.
    public let encoder: JSONEncoder

    /// An encoder that writes with `encoder`.
    public init(encoder: JSONEncoder = JSONEncoder()) {
        self.encoder = encoder
    }

    private convenience init(formatting: JSONEncoder.OutputFormatting) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting
        self.init(encoder: encoder)
    }

    /// - Throws: `AFError.parameterEncodingFailed` (as in Alamofire, not `parameterEncoderFailed`) with the encoder's
    ///   own error.
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
    /// JSON with every default.
    public static var json: JSONParameterEncoder { .default }

    /// JSON, written by `encoder`.
    public static func json(encoder: JSONEncoder = JSONEncoder()) -> JSONParameterEncoder {
        JSONParameterEncoder(encoder: encoder)
    }
}
