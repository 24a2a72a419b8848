public import AFCore
public import AFHTTP
public import AFTransport

// Where Foundation has a type of the same name, that of the core is meant.

/// What to send.
public typealias URLRequest = AFHTTP.URLRequest
/// The head of a response.
public typealias HTTPURLResponse = AFHTTP.HTTPURLResponse
/// The head of a response, in events that name Foundation's superclass; every response is one over HTTP.
public typealias URLResponse = AFHTTP.HTTPURLResponse
/// A user name and a password.
public typealias URLCredential = AFHTTP.URLCredential
/// Where credentials are kept, by the part of a server that they are for.
public typealias URLCredentialStorage = AFHTTP.URLCredentialStorage
/// The part of a server that a credential is for.
public typealias URLProtectionSpace = AFHTTP.URLProtectionSpace
/// A cookie as a session keeps it.
public typealias HTTPCookie = AFHTTP.HTTPCookie
/// A response as a cache keeps it.
public typealias CachedURLResponse = AFHTTP.CachedURLResponse
/// Where responses are kept.
public typealias URLCache = ResponseCache

// What Alamofire takes from URLSession, under the names it has there.

/// One attempt at a request.
public typealias URLSessionTask = TransferTask
/// One attempt at a request whose response is kept or streamed.
public typealias URLSessionDataTask = TransferTask
/// One attempt at an upload.
public typealias URLSessionUploadTask = TransferTask
/// One attempt at a download.
public typealias URLSessionDownloadTask = TransferTask
/// When everything of one attempt happened.
public typealias URLSessionTaskMetrics = TransferMetrics
/// When everything of one hop happened.
public typealias URLSessionTaskTransactionMetrics = TransactionMetrics
