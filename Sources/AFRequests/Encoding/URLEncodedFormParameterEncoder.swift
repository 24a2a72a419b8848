public import AFHTTP
internal import FoundationEssentials

/// Encodes an `Encodable` value into the query or, as a form, into the body; see ``URLEncodedFormEncoder``.
///
/// `@unchecked` because it may be subclassed; its properties are immutable.
open class URLEncodedFormParameterEncoder: ParameterEncoder, @unchecked Sendable {
    /// The destination of parameters.
    public enum Destination: Sendable {
        /// The query of GET, HEAD and DELETE requests, the body of others.
        case methodDependent
        /// The query, for any method.
        case queryString
        /// The body, for any method.
        case httpBody
    }

    /// The default encoder.
    public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// The encoder of pairs.
    public let encoder: URLEncodedFormEncoder
    /// The destination of pairs.
    public let destination: Destination

    /// Creates a parameter encoder.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        self.encoder = encoder
        self.destination = destination
    }

    /// Returns the request with the pairs appended to its query, or as its body with, unless it has one, a form's
    /// `Content-Type`.
    ///
    /// Parameters without pairs leave a query unchanged.
    ///
    /// - Throws: `AFError.parameterEncoderFailed`, also for a request without URL or method.
    open func encode<Parameters: Encodable & Sendable>(
        _ parameters: Parameters?,
        into request: URLRequest
    ) throws -> URLRequest {
        guard let parameters else { return request }
        guard let url = request.url else {
            throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.url))
        }
        guard let method = request.method else {
            throw AFError.parameterEncoderFailed(reason: .missingRequiredComponent(.httpMethod(rawValue: "nil")))
        }
        let pairs: String
        do {
            pairs = try encoder.encode(parameters)
        } catch {
            throw AFError.parameterEncoderFailed(reason: .encoderFailed(error: error))
        }
        var request = request
        if destination.isQuery(of: method) {
            request.url = url.appending(escapedQuery: pairs)
        } else {
            if request.headers["Content-Type"] == nil {
                request.headers.update(.contentType("application/x-www-form-urlencoded; charset=utf-8"))
            }
            request.httpBody = Data(pairs.utf8)
        }
        return request
    }
}

extension URLEncodedFormParameterEncoder.Destination {
    fileprivate func isQuery(of method: HTTPMethod) -> Bool {
        switch self {
        case .methodDependent: URLEncoding.Destination.methodDependent.isQuery(of: method)
        case .queryString: true
        case .httpBody: false
        }
    }
}

extension ParameterEncoder where Self == URLEncodedFormParameterEncoder {
    /// The default encoder of queries and forms.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

    /// Returns an encoder of queries and forms that uses `encoder`.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}
