public import AFCore
public import AFHTTP
public import AFTransport

// These names shadow Foundation's types of the same name, which this module re-exports.

/// A request.
public typealias URLRequest = AFHTTP.URLRequest
/// The header of a response.
public typealias HTTPURLResponse = AFHTTP.HTTPURLResponse
/// The header of a response, for events that name Foundation's superclass; every response is an HTTP response.
public typealias URLResponse = AFHTTP.HTTPURLResponse
/// A user name and a password.
public typealias URLCredential = AFHTTP.URLCredential
/// Credentials by protection space.
public typealias URLCredentialStorage = AFHTTP.URLCredentialStorage
/// The scope of a credential: a realm of a server.
public typealias URLProtectionSpace = AFHTTP.URLProtectionSpace
/// A stored cookie of a session.
public typealias HTTPCookie = AFHTTP.HTTPCookie
/// A stored response of a cache.
public typealias CachedURLResponse = AFHTTP.CachedURLResponse
/// A message of a WebSocket connection, and its close codes, under URLSession's names.
public enum URLSessionWebSocketTask {
    /// A message.
    public typealias Message = WebSocketMessage
    /// A close code.
    public typealias CloseCode = WebSocketCloseCode
}
/// The cache of responses.
public typealias URLCache = ResponseCache

// Names of URLSession that Alamofire's API uses.

/// One attempt at a request.
public typealias URLSessionTask = TransferTask
/// One attempt at a data request or stream.
public typealias URLSessionDataTask = TransferTask
/// One attempt at an upload.
public typealias URLSessionUploadTask = TransferTask
/// One attempt at a download.
public typealias URLSessionDownloadTask = TransferTask
/// The metrics of one attempt.
public typealias URLSessionTaskMetrics = TransferMetrics
/// The metrics of one hop.
public typealias URLSessionTaskTransactionMetrics = TransactionMetrics
