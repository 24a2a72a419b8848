public import AFHTTP
internal import FoundationEssentials

/// Puts an `Encodable` value into the query or, as a form, into the body; see ``URLEncodedFormEncoder``.
///
/// `@unchecked` because it may be subclassed; its properties are immutable.
open class URLEncodedFormParameterEncoder: ParameterEncoder, @unchecked Sendable {
    /// Where parameters go.
    public enum Destination: Sendable {
        /// Into the query of GET, HEAD and DELETE requests, else into the body.
        case methodDependent
        /// Into the query, whatever the method.
        case queryString
        /// Into the body, whatever the method.
        case httpBody
    }

    /// An encoder with every default.
    public static var `default`: URLEncodedFormParameterEncoder { URLEncodedFormParameterEncoder() }

    /// What writes the pairs.
    public let encoder: URLEncodedFormEncoder
    /// Where the pairs go.
    public let destination: Destination

    /// An encoder that writes pairs with `encoder` and puts them at `destination`.
    public init(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: Destination = .methodDependent
    ) {
        self.encoder = encoder
        self.destination = destination
    }

    /// The request with the pairs behind its query, or as its body with a form's `Content-Type` unless it has one.
    ///
    /// Parameters without a pair leave a query as it is.
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
    /// A query or a form with every default.
    public static var urlEncodedForm: URLEncodedFormParameterEncoder { .default }

    /// A query or a form, written by `encoder`, at `destination`.
    public static func urlEncodedForm(
        encoder: URLEncodedFormEncoder = URLEncodedFormEncoder(),
        destination: URLEncodedFormParameterEncoder.Destination = .methodDependent
    ) -> URLEncodedFormParameterEncoder {
        URLEncodedFormParameterEncoder(encoder: encoder, destination: destination)
    }
}
