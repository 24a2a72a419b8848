public import FoundationEssentials
internal import Glibc

/// The implementation of the `validate` methods of requests.
public enum ResponseValidation {
    /// The status codes that `validate()` accepts.
    public static let acceptableStatusCodes = 200..<300

    /// Checks the status code.
    public static func status(_ code: Int, acceptable: some Sequence<Int>) -> Request.ValidationResult {
        acceptable.contains(code) ? .success(()) : failure(.unacceptableStatusCode(code: code))
    }

    /// Returns the media types of the request's `Accept` field, which `validate()` accepts; any if there is none.
    ///
    /// Header fields that the session adds later are not considered.
    public static func acceptableContentTypes(of request: URLRequest?) -> [String] {
        let types = request?.headers.elements("Accept").map(String.init) ?? []
        return types.isEmpty ? ["*/*"] : types
    }

    /// Checks the response's media type against the acceptable ones, in which `*` matches anything.
    ///
    /// Parameters and case are ignored. An empty body is always acceptable. A response without a valid type is
    /// acceptable to `*/*` only.
    public static func contentType(
        of response: HTTPURLResponse,
        acceptable: some Sequence<String>,
        isBodyEmpty: Bool
    ) -> Request.ValidationResult {
        if isBodyEmpty { return .success(()) }
        let names = Array(acceptable)
        let types = names.compactMap { MediaType(parsing: $0) }
        guard let found = response.contentType else {
            let isAnythingFine = types.contains { $0.essence == "*/*" }
            return isAnythingFine ? .success(()) : failure(.missingContentType(acceptableContentTypes: names.sorted()))
        }
        if types.contains(where: { $0.accepts(found) }) { return .success(()) }
        return failure(
            .unacceptableContentType(acceptableContentTypes: names.sorted(), responseContentType: found.essence)
        )
    }

    /// Checks the media type of a downloaded file, which must exist.
    public static func contentType(
        of response: HTTPURLResponse,
        acceptable: some Sequence<String>,
        fileURL: URL?
    ) -> Request.ValidationResult {
        guard let fileURL else { return failure(.dataFileNil) }
        guard let size = fileURL.fileSize else { return failure(.dataFileReadFailed(at: fileURL)) }
        return contentType(of: response, acceptable: acceptable, isBodyEmpty: size == 0)
    }

    private static func failure(_ reason: AFError.ResponseValidationFailureReason) -> Request.ValidationResult {
        .failure(AFError.responseValidationFailed(reason: reason))
    }
}

extension URL {
    fileprivate var fileSize: Int64? {
        var file = stat()
        return isFileURL && stat(path, &file) == 0 ? Int64(file.st_size) : nil
    }
}
