public import FoundationEssentials
internal import Glibc

/// The checks behind the `validate` calls of requests.
public enum ResponseValidation {
    /// What `validate()` accepts.
    public static let acceptableStatusCodes = 200..<300

    /// Whether the status is one of the acceptable.
    public static func status(_ code: Int, acceptable: some Sequence<Int>) -> Request.ValidationResult {
        acceptable.contains(code) ? .success(()) : failure(.unacceptableStatusCode(code: code))
    }

    /// The types that the request itself asks for, which is what `validate()` accepts; any without an `Accept`.
    ///
    /// Headers that the session adds later are not seen.
    public static func acceptableContentTypes(of request: URLRequest?) -> [String] {
        let values = request?.headers.values(for: "Accept") ?? []
        let types = values.flatMap { value in
            Array(value.utf8)[...].splitOutsideQuotes(at: UInt8(ascii: ",")).map { type in
                String(decoding: type.trimmed, as: UTF8.self)
            }
        }
        let named = types.filter { !$0.isEmpty }
        return named.isEmpty ? ["*/*"] : named
    }

    /// Whether one of the acceptable types, where `*` stands for anything, covers the type of the response.
    ///
    /// Parameters are ignored and so is case. An empty body is always fine. A response without a readable type is
    /// acceptable to `*/*` only.
    public static func contentType(
        of response: HTTPURLResponse,
        acceptable: some Sequence<String>,
        isBodyEmpty: Bool
    ) -> Request.ValidationResult {
        if isBodyEmpty { return .success(()) }
        let names = Array(acceptable)
        let types = names.compactMap { MediaType(parsing: $0) }
        guard let found = response.headers.value(for: "Content-Type").flatMap({ MediaType(parsing: $0) }) else {
            let isAnythingFine = types.contains { $0.essence == "*/*" }
            return isAnythingFine ? .success(()) : failure(.missingContentType(acceptableContentTypes: names.sorted()))
        }
        if types.contains(where: { $0.accepts(found) }) { return .success(()) }
        return failure(
            .unacceptableContentType(acceptableContentTypes: names.sorted(), responseContentType: found.essence)
        )
    }

    /// The same for a downloaded file, which has to be there.
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
