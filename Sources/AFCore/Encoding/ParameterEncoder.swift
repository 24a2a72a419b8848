/// A way to put an `Encodable` value into a request.
public protocol ParameterEncoder: Sendable {
    /// The request with the parameters in it; `nil` leaves it as it is.
    func encode<Parameters: Encodable & Sendable>(_ parameters: Parameters?, into request: URLRequest) throws
        -> URLRequest
}
