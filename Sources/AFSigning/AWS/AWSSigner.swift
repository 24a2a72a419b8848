public import AFCore
public import AFHTTP
public import AFTransport
internal import Dispatch
public import FoundationEssentials
internal import Glibc

/// Signs requests for Amazon Web Services (AWS Signature Version 4).
///
/// Set it as the interceptor of a session or a request. Every attempt is signed separately, as signatures are valid for
/// some minutes; bodies are read once for the hash and again for sending.
///
/// ```swift
/// let signer = AWSSigner(credentials, for: AWSEndpoint(region: "eu-central-1", service: "execute-api"))
/// let orders = try await session.request(url, interceptor: signer).serializingData().value
/// ```
///
/// A redirect needs its own signature: if redirects are followed, also set the signer as the `redirectHandler` of the
/// session. Requests to another origin are not signed, unless the ``AFCore/RedirectPolicy`` of the session trusts it.
public struct AWSSigner: RequestInterceptor {
    /// The keys that sign.
    public var credentials: AWSCredentials
    /// The service to sign for.
    public var endpoint: AWSEndpoint
    /// Whether to send the body's hash as `X-Amz-Content-SHA256`: S3 requires it, and other services accept it.
    public var sendsPayloadHash = true
    /// Returns the time of signatures.
    public var now: @Sendable () -> Date = { Date() }
    var pathSpelling: AWSCanonicalRequest.PathSpelling

    /// Creates a signer; paths are signed unchanged for S3 and normalized for other services.
    public init(_ credentials: AWSCredentials, for endpoint: AWSEndpoint) {
        self.credentials = credentials
        self.endpoint = endpoint
        pathSpelling = endpoint.isStorage ? .asIs : .normalized
    }

    /// Signs the request, including the hash of its body.
    ///
    /// A `+` in the query is sent as `%20`, which all servers interpret alike. An existing `X-Amz-Content-SHA256` is
    /// used as it is.
    ///
    /// - Parameter body: The body that will be sent, unless the request contains it.
    /// - Throws: ``AWSSigningError``, errors of reading the body, and ``AFHTTP/InvalidURL``.
    public func sign(_ request: inout URLRequest, body: BodySource? = nil) throws {
        guard var url = try request.httpURL else { throw AFError.parameterEncodingFailed(reason: .missingURL) }
        if let plain = try url.withoutPlusInQuery {
            url = plain
            request.redirect(to: url)
        }
        let given = request.headers.value(for: Self.payloadField)
        let hash = try given ?? payloadHash(of: body ?? request.httpBody.map { .bytes(Array($0)) }, url.scheme)
        let time = Self.timestamp(now())
        request.headers.remove(name: "Authorization")
        request.headers.update(name: "X-Amz-Date", value: time)
        if sendsPayloadHash { request.headers.update(name: Self.payloadField, value: hash) }
        if let token = credentials.sessionToken {
            request.headers.update(name: "X-Amz-Security-Token", value: token)
        }
        let canonical = AWSCanonicalRequest(request, to: url, path: pathSpelling, payloadHash: hash)
        request.headers.update(.authorization(authorization(for: canonical, time)))
    }

    private func authorization(for request: AWSCanonicalRequest, _ time: String) -> String {
        let day = String(time.prefix(8))
        let scope = "\(day)/\(endpoint.region)/\(endpoint.service)/aws4_request"
        let subject = [Self.algorithm, time, scope, request.digest.hexadecimal].joined(separator: "\n")
        var key = Array("AWS4\(credentials.secretAccessKey)".utf8)
        for part in [day, endpoint.region, endpoint.service, "aws4_request", subject] {
            key = SHA256Digest(of: Array(part.utf8), key: key).bytes
        }
        return "\(Self.algorithm) Credential=\(credentials.accessKeyID)/\(scope), "
            + "SignedHeaders=\(request.signedNames), Signature=\(key.hexadecimal)"
    }

    /// Returns the hash of the body. A body that can be read only once cannot be hashed before it is sent; S3 accepts
    /// it unsigned over TLS.
    private func payloadHash(of body: BodySource?, _ scheme: HTTPURL.Scheme) throws -> String {
        guard let body else { return SHA256Digest(of: []).hexadecimal }
        // A body that is compressed while it is sent is compressed once more for the hash, if its source can be read
        // again.
        guard body.isReadableInAdvance else {
            guard endpoint.isStorage, scheme == .https else { throw AWSSigningError.bodyReadOnlyOnce }
            return "UNSIGNED-PAYLOAD"
        }
        let hasher = SHA256Digest.Hasher()
        try body.forEachChunk { hasher.update($0) }
        guard body.rewind() else { throw AWSSigningError.bodyReadOnlyOnce }
        return hasher.finish().hexadecimal
    }

    private static let algorithm = "AWS4-HMAC-SHA256"
    private static let payloadField = "X-Amz-Content-SHA256"

    /// `20150830T123600Z`
    private static func timestamp(_ date: Date) -> String {
        let parts = HTTPDate(date).parts
        return "\(parts.year)\(parts.month)\(parts.day)T\(parts.hour)\(parts.minute)\(parts.second)Z"
    }
}

extension AWSSigner {
    /// Signs the attempt outside of the session's queues: its body may be large.
    public func adapt(
        _ urlRequest: URLRequest,
        using state: RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        DispatchQueue.global().async {
            completion(
                Result {
                    var signed = urlRequest
                    try sign(&signed, body: try state.body())
                    return signed
                }
            )
        }
    }
}

extension AWSSigner: RedirectHandler {
    /// Signs a redirect if the first request was signed; a redirect that cannot be signed is not followed.
    public func task(
        _ task: TransferTask,
        willBeRedirectedTo request: URLRequest,
        for response: HTTPURLResponse,
        completion: @escaping @Sendable (URLRequest?) -> Void
    ) {
        // Another origin gets no signature, and a dropped body is not hashed.
        guard request.headers.value(for: "Authorization")?.hasPrefix(Self.algorithm) == true else {
            return completion(request)
        }
        let body = request.method == task.currentRequest.method ? task.body : nil
        DispatchQueue.global().async {
            var signed = request
            signed.headers.remove(name: Self.payloadField)
            completion((try? sign(&signed, body: body)) == nil ? nil : signed)
        }
    }
}

/// The reason why an ``AWSSigner`` cannot sign a request.
public enum AWSSigningError: Error, Hashable, Sendable {
    /// The body can be read only once, and the service requires its digest in advance.
    case bodyReadOnlyOnce
}

extension AWSSigningError: CustomStringConvertible {
    /// The message: lower case, without full stop.
    public var description: String {
        switch self {
        case .bodyReadOnlyOnce: "the signature covers the body, which can be read only once"
        }
    }
}

extension HTTPURL {
    /// The URL with `+` replaced by `%20` in the query; `nil` if the query has no `+`.
    fileprivate var withoutPlusInQuery: HTTPURL? {
        get throws(InvalidURL) {
            guard let query, query.contains("+") else { return nil }
            let rest = query.split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%20")
            return try HTTPURL(parsing: "\(origin)\(path)?\(rest)")
        }
    }
}
