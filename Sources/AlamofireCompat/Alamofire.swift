public import AFCore
public import AFHTTP
public import Foundation

/// The namespace of qualified names such as `Alamofire.Session`, with Alamofire 4's free functions:
/// `Alamofire.request`.
public enum Alamofire {
    /// ``AFCore/AFError``.
    public typealias AFError = AFCore.AFError
    /// ``AFCore/DataRequest``.
    public typealias DataRequest = AFCore.DataRequest
    /// ``AFCore/DataResponse``.
    public typealias DataResponse = AFCore.DataResponse
    /// ``AFCore/DataStreamRequest``.
    public typealias DataStreamRequest = AFCore.DataStreamRequest
    /// ``AFCore/DownloadRequest``.
    public typealias DownloadRequest = AFCore.DownloadRequest
    /// ``AFCore/DownloadResponse``.
    public typealias DownloadResponse = AFCore.DownloadResponse
    /// ``AFCore/Empty``.
    public typealias Empty = AFCore.Empty
    /// ``AlamofireCompat/EventMonitor``.
    public typealias EventMonitor = AlamofireCompat.EventMonitor
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
    /// ``AFCore/MultipartFormData``.
    public typealias MultipartFormData = AFCore.MultipartFormData
    /// ``AFCore/ParameterEncoding``.
    public typealias ParameterEncoding = AFCore.ParameterEncoding
    /// ``AFCore/Parameters``.
    public typealias Parameters = AFCore.Parameters
    /// ``AFCore/Request``.
    public typealias Request = AFCore.Request
    /// ``AFCore/RequestAdapter``.
    public typealias RequestAdapter = AFCore.RequestAdapter
    /// ``AFCore/RequestInterceptor``.
    public typealias RequestInterceptor = AFCore.RequestInterceptor
    /// ``AFCore/RequestRetrier``.
    public typealias RequestRetrier = AFCore.RequestRetrier
    /// ``AFCore/RetryPolicy``.
    public typealias RetryPolicy = AFCore.RetryPolicy
    /// ``AFCore/RetryResult``.
    public typealias RetryResult = AFCore.RetryResult
    /// ``AFCore/Session``.
    public typealias Session = AFCore.Session
    /// ``AFCore/Session``.
    public typealias SessionManager = AFCore.Session
    /// ``AFCore/UploadRequest``.
    public typealias UploadRequest = AFCore.UploadRequest
    /// ``AFCore/URLConvertible``.
    public typealias URLConvertible = AFCore.URLConvertible
    /// ``AFCore/URLEncoding``.
    public typealias URLEncoding = AFCore.URLEncoding
    /// ``AFCore/URLRequestConvertible``.
    public typealias URLRequestConvertible = AFCore.URLRequestConvertible

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
