public import AFHTTP
public import AFTransport
public import FoundationEssentials
internal import Synchronization

/// A request with a response body in memory.
///
/// `@unchecked` like its superclass; every property added here is immutable or a `Mutex`.
public class DataRequest: Request, @unchecked Sendable {
    /// A closure that validates the request, the response header and the body. A failure ends the attempt.
    public typealias Validation = @Sendable (URLRequest?, HTTPURLResponse, Data?) -> ValidationResult

    /// The value that every attempt's request is created from.
    public let convertible: any URLRequestConvertible
    /// Whether creating the request runs no user code, and may be done at once.
    private let isImmediate: Bool
    private let body = Mutex((data: nil as Data?, expectedLength: 0 as Int64))

    /// - Parameter isImmediate: Whether creating the URL request runs no user code. Given by the caller, as casts and the copy
    ///   of a request's components take 1,000 instructions.
    init(_ convertible: any URLRequestConvertible, isImmediate: Bool, _ origin: RequestOrigin) {
        self.convertible = convertible
        self.isImmediate = isImmediate
        super.init(origin, isCacheable: true)
    }

    /// The body received so far; `nil` before the first byte.
    public var data: Data? { body.withLock({ $0.data }) }

    /// Adds a validation of the response; validations run in order until one fails.
    @discardableResult
    public func validate(_ validation: @escaping Validation) -> Self {
        addValidator { [unowned self] response in failure(of: validation, response) }
        return self
    }

    private func failure(of validation: Validation, _ response: HTTPURLResponse) -> AFError? {
        let (request, data) = (request, data)
        let result = validation(request, response, data)
        observers?.notify {
            $0.request(self, didValidateRequest: request, response: response, data: data, withResult: result)
        }
        return result.validationError
    }

    @_spi(Requests) public override func startAttempt(_ number: Int) -> Preparation {
        if number > 0 { body.withLock { $0 = (nil, 0) } }
        return isImmediate ? .none : .queue
    }

    @_spi(Requests) public override func makeURLRequest() throws(AFError) -> URLRequest {
        try convertible.makeURLRequest()
    }

    @_spi(Requests) public override func receive(_ response: HTTPURLResponse) {
        let length = max(0, response.expectedContentLength)
        if length > 0 { body.withLock { $0.expectedLength = length } }
    }

    @_spi(Requests) public override func receive(_ bytes: UnsafeRawBufferPointer) -> Flow {
        let (count, expectedLength) = body.withLock { body in
            if body.data == nil { body.data = Data(bytes) } else { body.data?.append(contentsOf: bytes) }
            return (Int64(body.data?.count ?? 0), body.expectedLength)
        }
        didReceive(TransferProgress(completedUnitCount: count, totalUnitCount: expectedLength))
        return .proceed
    }
}

extension Request {
    /// The announced length of the final body; 0 if it is unknown.
    var expectedLength: Int64 { max(0, response?.expectedContentLength ?? 0) }

    /// Adds a validator, unless the request has ended: it would never be called or released.
    ///
    /// - Parameter validator: Called by this request, which it must capture unowned.
    package func addValidator(_ validator: @escaping Validator) {
        mutableState.withLock { mutableState in
            if !mutableState.lifecycle.isDone { mutableState.validators.append(validator) }
        }
    }
}

extension Request.ValidationResult {
    /// The failure as an `AFError`.
    package var validationError: AFError? {
        guard case .failure(let error) = self else { return nil }
        return error.asAFError(or: .responseValidationFailed(reason: .customValidationFailed(error: error)))
    }
}
