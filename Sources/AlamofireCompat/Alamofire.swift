public import AFCore
public import AFFoundation
public import AFHTTP
public import Foundation

/// The namespace of qualified names such as `Alamofire.Session`, with Alamofire 4's free functions:
/// `Alamofire.request`.
public enum Alamofire {
    /// ``AFCore/Adapter``.
    public typealias Adapter = AFCore.Adapter
    /// ``AFCore/AdaptHandler``.
    public typealias AdaptHandler = AFCore.AdaptHandler
    /// ``AFCore/AFDataResponse``.
    public typealias AFDataResponse<Success: Sendable> = AFCore.AFDataResponse<Success>
    /// ``AFCore/AFDownloadResponse``.
    public typealias AFDownloadResponse<Success: Sendable> = AFCore.AFDownloadResponse<Success>
    /// ``AFCore/AFError``.
    public typealias AFError = AFCore.AFError
    /// ``AFHTTP/AFInfo``.
    public typealias AFInfo = AFHTTP.AFInfo
    /// ``AFCore/AFResult``.
    public typealias AFResult<Success> = AFCore.AFResult<Success>
    /// ``AlamofireCompat/AlamofireExtended``.
    public typealias AlamofireExtended = AlamofireCompat.AlamofireExtended
    /// ``AlamofireCompat/AlamofireExtension``.
    public typealias AlamofireExtension = AlamofireCompat.AlamofireExtension
    /// ``AFFoundation/AlamofireNotifications``.
    public typealias AlamofireNotifications = AFFoundation.AlamofireNotifications
    /// ``AFCore/AuthenticationCredential``.
    public typealias AuthenticationCredential = AFCore.AuthenticationCredential
    /// ``AFCore/AuthenticationError``.
    public typealias AuthenticationError = AFCore.AuthenticationError
    /// ``AFCore/AuthenticationInterceptor``.
    public typealias AuthenticationInterceptor = AFCore.AuthenticationInterceptor
    /// ``AFCore/Authenticator``.
    public typealias Authenticator = AFCore.Authenticator
    /// ``AFCore/CachedResponseHandler``.
    public typealias CachedResponseHandler = AFCore.CachedResponseHandler
    /// ``AFCore/ClosureEventMonitor``.
    public typealias ClosureEventMonitor = AFCore.ClosureEventMonitor
    /// ``AFCore/CompositeEventMonitor``.
    public typealias CompositeEventMonitor = AFCore.CompositeEventMonitor
    /// ``AFCore/CompositeTrustEvaluator``.
    public typealias CompositeTrustEvaluator = AFCore.CompositeTrustEvaluator
    /// ``AFCore/ConnectionLostRetryPolicy``.
    public typealias ConnectionLostRetryPolicy = AFCore.ConnectionLostRetryPolicy
    /// ``AFCore/DataDecoder``.
    public typealias DataDecoder = AFCore.DataDecoder
    /// ``AFCore/DataPreprocessor``.
    public typealias DataPreprocessor = AFCore.DataPreprocessor
    /// ``AFCore/DataRequest``.
    public typealias DataRequest = AFCore.DataRequest
    /// ``AFCore/DataResponse``.
    public typealias DataResponse = AFCore.DataResponse
    /// ``AFCore/DataResponseSerializer``.
    public typealias DataResponseSerializer = AFCore.DataResponseSerializer
    /// ``AFCore/DataResponseSerializerProtocol``.
    public typealias DataResponseSerializerProtocol = AFCore.DataResponseSerializerProtocol
    /// ``AFCore/DataStreamRequest``.
    public typealias DataStreamRequest = AFCore.DataStreamRequest
    /// ``AFCore/DataStreamSerializer``.
    public typealias DataStreamSerializer = AFCore.DataStreamSerializer
    /// ``AFCore/DataStreamTask``.
    public typealias DataStreamTask = AFCore.DataStreamTask
    /// ``AFCore/DataTask``.
    public typealias DataTask = AFCore.DataTask
    /// ``AFCore/DecodableResponseSerializer``.
    public typealias DecodableResponseSerializer = AFCore.DecodableResponseSerializer
    /// ``AFCore/DecodableStreamSerializer``.
    public typealias DecodableStreamSerializer = AFCore.DecodableStreamSerializer
    /// ``AFCore/DecodableWebSocketMessageDecoder``.
    public typealias DecodableWebSocketMessageDecoder = AFCore.DecodableWebSocketMessageDecoder
    /// ``AFCore/DefaultTrustEvaluator``.
    public typealias DefaultTrustEvaluator = AFCore.DefaultTrustEvaluator
    /// ``AFCore/DeflateRequestCompressor``.
    public typealias DeflateRequestCompressor = AFCore.DeflateRequestCompressor
    /// ``AFCore/DisabledTrustEvaluator``.
    public typealias DisabledTrustEvaluator = AFCore.DisabledTrustEvaluator
    /// ``AFCore/DownloadRequest``.
    public typealias DownloadRequest = AFCore.DownloadRequest
    /// ``AFCore/DownloadResponse``.
    public typealias DownloadResponse = AFCore.DownloadResponse
    /// ``AFCore/DownloadResponseSerializerProtocol``.
    public typealias DownloadResponseSerializerProtocol = AFCore.DownloadResponseSerializerProtocol
    /// ``AFCore/DownloadTask``.
    public typealias DownloadTask = AFCore.DownloadTask
    /// ``AFCore/Empty``.
    public typealias Empty = AFCore.Empty
    /// ``AFCore/EmptyResponse``.
    public typealias EmptyResponse = AFCore.EmptyResponse
    /// ``AlamofireCompat/EventMonitor``.
    public typealias EventMonitor = AlamofireCompat.EventMonitor
    /// ``AFCore/GoogleXSSIPreprocessor``.
    public typealias GoogleXSSIPreprocessor = AFCore.GoogleXSSIPreprocessor
    /// ``AFHTTP/HTTPHeader``.
    public typealias HTTPHeader = AFHTTP.HTTPHeader
    /// ``AFHTTP/HTTPHeaders``.
    public typealias HTTPHeaders = AFHTTP.HTTPHeaders
    /// ``AFHTTP/HTTPMethod``.
    public typealias HTTPMethod = AFHTTP.HTTPMethod
    /// ``AFCore/Interceptor``.
    public typealias Interceptor = AFCore.Interceptor
    /// ``AFCore/JSONEncoding``.
    public typealias JSONEncoding = AFCore.JSONEncoding
    /// ``AFCore/JSONParameterEncoder``.
    public typealias JSONParameterEncoder = AFCore.JSONParameterEncoder
    /// ``AFCore/JSONResponseSerializer``.
    public typealias JSONResponseSerializer = AFCore.JSONResponseSerializer
    /// ``AFCore/MultipartFormData``.
    public typealias MultipartFormData = AFCore.MultipartFormData
    /// ``AFCore/NetworkReachabilityManager``.
    public typealias NetworkReachabilityManager = AFCore.NetworkReachabilityManager
    /// ``AFCore/OfflineRetrier``.
    public typealias OfflineRetrier = AFCore.OfflineRetrier
    /// ``AFCore/ParameterEncoder``.
    public typealias ParameterEncoder = AFCore.ParameterEncoder
    /// ``AFCore/ParameterEncoding``.
    public typealias ParameterEncoding = AFCore.ParameterEncoding
    /// ``AFCore/Parameters``.
    public typealias Parameters = AFCore.Parameters
    /// ``AFCore/PassthroughPreprocessor``.
    public typealias PassthroughPreprocessor = AFCore.PassthroughPreprocessor
    /// ``AFCore/PassthroughStreamSerializer``.
    public typealias PassthroughStreamSerializer = AFCore.PassthroughStreamSerializer
    /// ``AFCore/PinnedCertificatesTrustEvaluator``.
    public typealias PinnedCertificatesTrustEvaluator = AFCore.PinnedCertificatesTrustEvaluator
    /// ``AFCore/PublicKeysTrustEvaluator``.
    public typealias PublicKeysTrustEvaluator = AFCore.PublicKeysTrustEvaluator
    /// ``AFCore/RedirectHandler``.
    public typealias RedirectHandler = AFCore.RedirectHandler
    /// ``AFCore/Redirector``.
    public typealias Redirector = AFCore.Redirector
    /// ``AFCore/Request``.
    public typealias Request = AFCore.Request
    /// ``AFCore/RequestAdapter``.
    public typealias RequestAdapter = AFCore.RequestAdapter
    /// ``AFCore/RequestAdapterState``.
    public typealias RequestAdapterState = AFCore.RequestAdapterState
    /// ``AlamofireCompat/RequestDelegate``.
    public typealias RequestDelegate = AlamofireCompat.RequestDelegate
    /// ``AFCore/RequestInterceptor``.
    public typealias RequestInterceptor = AFCore.RequestInterceptor
    /// ``AFCore/RequestRetrier``.
    public typealias RequestRetrier = AFCore.RequestRetrier
    /// ``AFCore/ResponseCacher``.
    public typealias ResponseCacher = AFCore.ResponseCacher
    /// ``AFCore/ResponseSerializer``.
    public typealias ResponseSerializer = AFCore.ResponseSerializer
    /// ``AFCore/Retrier``.
    public typealias Retrier = AFCore.Retrier
    /// ``AFCore/RetryHandler``.
    public typealias RetryHandler = AFCore.RetryHandler
    /// ``AFCore/RetryPolicy``.
    public typealias RetryPolicy = AFCore.RetryPolicy
    /// ``AFCore/RetryResult``.
    public typealias RetryResult = AFCore.RetryResult
    /// ``AFCore/RevocationTrustEvaluator``.
    public typealias RevocationTrustEvaluator = AFCore.RevocationTrustEvaluator
    /// ``AFCore/ServerTrustEvaluating``.
    public typealias ServerTrustEvaluating = AFCore.ServerTrustEvaluating
    /// ``AFCore/ServerTrustManager``.
    public typealias ServerTrustManager = AFCore.ServerTrustManager
    /// ``AFCore/Session``.
    public typealias Session = AFCore.Session
    /// ``AFCore/Session``.
    public typealias SessionManager = AFCore.Session
    /// ``AFCore/StreamOf``.
    public typealias StreamOf = AFCore.StreamOf
    /// ``AFCore/StringResponseSerializer``.
    public typealias StringResponseSerializer = AFCore.StringResponseSerializer
    /// ``AFCore/StringStreamSerializer``.
    public typealias StringStreamSerializer = AFCore.StringStreamSerializer
    /// ``AFCore/UploadableConvertible``.
    public typealias UploadableConvertible = AFCore.UploadableConvertible
    /// ``AFCore/UploadConvertible``.
    public typealias UploadConvertible = AFCore.UploadConvertible
    /// ``AFCore/UploadRequest``.
    public typealias UploadRequest = AFCore.UploadRequest
    /// ``AFCore/URLConvertible``.
    public typealias URLConvertible = AFCore.URLConvertible
    /// ``AFCore/URLEncodedFormEncoder``.
    public typealias URLEncodedFormEncoder = AFCore.URLEncodedFormEncoder
    /// ``AFCore/URLEncodedFormParameterEncoder``.
    public typealias URLEncodedFormParameterEncoder = AFCore.URLEncodedFormParameterEncoder
    /// ``AFCore/URLEncoding``.
    public typealias URLEncoding = AFCore.URLEncoding
    /// ``AFCore/URLRequestConvertible``.
    public typealias URLRequestConvertible = AFCore.URLRequestConvertible
    /// ``AFCore/URLResponseSerializer``.
    public typealias URLResponseSerializer = AFCore.URLResponseSerializer
    /// ``AFCore/WebSocketMessageSerializer``.
    public typealias WebSocketMessageSerializer = AFCore.WebSocketMessageSerializer
    /// ``AFCore/WebSocketRequest``.
    public typealias WebSocketRequest = AFCore.WebSocketRequest

    /// Creates a data request of the default session.
    public static func request(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil
    ) -> DataRequest {
        AF.request(url, method: method, parameters: parameters, encoding: encoding, headers: headers)
    }

    /// Creates a data request of the default session.
    public static func request(_ urlRequest: any URLRequestConvertible) -> DataRequest { AF.request(urlRequest) }

    /// Creates a download of the default session.
    public static func download(
        _ url: any URLConvertible,
        method: HTTPMethod = .get,
        parameters: Parameters? = nil,
        encoding: any ParameterEncoding = URLEncoding.default,
        headers: HTTPHeaders? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        AF.download(
            url,
            method: method,
            parameters: parameters,
            encoding: encoding,
            headers: headers,
            to: destination
        )
    }

    /// Creates an upload of the default session.
    public static func upload(
        _ data: Data,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil
    ) -> UploadRequest {
        AF.upload(data, to: url, method: method, headers: headers)
    }
}
