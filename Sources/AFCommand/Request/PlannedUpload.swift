internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

extension RequestPlan: URLRequestConvertible {
    /// Returns the request without its body.
    func asURLRequest() throws -> URLRequest {
        var request = try URLRequest(url: url, method: method)
        request.headers = headers
        return request
    }
}

/// A request with its body, for the core.
struct PlannedUpload: UploadConvertible {
    let request: RequestPlan
    let body: BodySource

    /// Returns `nil` if the request has no body.
    init?(_ request: RequestPlan, _ waits: WaitLimits, observer: UploadObserver?) throws {
        guard let body = try request.body.source(waits, observer: observer) else { return nil }
        self.request = request
        self.body = body
    }

    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
    func createUploadable() throws -> UploadRequest.Uploadable { .body(body) }
}

extension BodyPlan {
    /// Returns the body for the transport; `nil` for none.
    ///
    /// - Parameters:
    ///   - waits: The limits on waiting for pipes.
    ///   - observer: The observer of sources that can be read only once.
    func source(_ waits: WaitLimits = WaitLimits(), observer: UploadObserver? = nil) throws -> BodySource? {
        switch self {
        case .none: nil
        case .bytes(let bytes): .bytes(bytes)
        case .file(let path, nil, _): .stream(DescriptorStream(path: path, waits).observed(by: observer))
        case .file(let path, _, let range): .file(path: path, range: range)
        case .standardInput(let input): input.source(waits, observer)
        case .multipart(let parts, let boundary, let isTyped):
            try Self.formData(parts, MultipartFormData(boundary: boundary, checksParts: isTyped), waits, observer)
                .makeBody()
        case .compressed(let body, let size): try body.compressedSource(size, waits, observer)
        }
    }

    /// Returns the compressed source; the observer receives the compressed bytes.
    private func compressedSource(_ size: Int64?, _ waits: WaitLimits, _ observer: UploadObserver?) throws
        -> BodySource?
    {
        // In memory, so that it can be signed and sent again.
        if let bytes { return .bytes(Array(try ContentCoding.deflate.compress(Data(bytes)))) }
        guard case .stream(let stream, _)? = try source(waits)?.compressed(.deflate) else { return nil }
        return .stream(isStreamed ? stream.observed(by: observer) : stream, length: size)
    }

    private static func formData(
        _ parts: [PartPlan],
        _ formData: MultipartFormData,
        _ waits: WaitLimits,
        _ observer: UploadObserver?
    ) -> MultipartFormData {
        for part in parts {
            var headers = MultipartFormData.headers(
                name: part.name,
                fileName: part.fileName,
                mimeType: part.contentType
            )
            // A typed field replaces the part's own.
            for header in part.headers { headers.remove(name: header.name) }
            for header in part.headers { headers.append(header) }
            let (body, length) = part.content.source(waits, observer)
            formData.append(body, withLength: length, headers: headers)
        }
        return formData
    }
}

extension PartPlan.Content {
    fileprivate func source(_ waits: WaitLimits, _ observer: UploadObserver?) -> (BodySource, UInt64?) {
        switch self {
        case .bytes(let bytes): (.bytes(bytes), UInt64(bytes.count))
        case .file(let path, let size?, let range): (.file(path: path, range: range), UInt64(size))
        case .file(let path, nil, _): (.stream(DescriptorStream(path: path, waits).observed(by: observer)), nil)
        case .standardInput(let input): (input.source(waits, observer), input.size.map(UInt64.init))
        }
    }
}

extension InputBody {
    fileprivate func source(_ waits: WaitLimits, _ observer: UploadObserver?) -> BodySource {
        isComplete
            ? .bytes(prefix)
            : .stream(DescriptorStream(standardInput: self, waits).observed(by: observer), length: size)
    }
}

extension BodyStream {
    fileprivate func observed(by observer: UploadObserver?) -> any BodyStream {
        observer.map { ObservedStream(self, $0) } ?? self
    }
}
