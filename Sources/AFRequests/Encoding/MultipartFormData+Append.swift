public import AFHTTP
public import AFTransport
public import FoundationEssentials
internal import Glibc

extension MultipartFormData {
    /// Appends bytes as a text field or, with a file name, as a file.
    public func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        append(
            MultipartPart(
                headers: MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType),
                body: .bytes([UInt8](data)),
                length: UInt64(data.count)
            )
        )
    }

    /// Appends a file under its own name, with the media type of its extension.
    ///
    /// A URL without file name or extension is an error when the body is created.
    public func append(_ fileURL: URL, withName name: String) {
        let fileName = fileURL.lastPathComponent
        let fileExtension = fileURL.pathExtension
        guard !fileName.isEmpty, !fileExtension.isEmpty else { return fail(.bodyPartFilenameInvalid(in: fileURL)) }
        let mimeType = MediaType(fileExtension: fileExtension)?.essence ?? "application/octet-stream"
        append(fileURL, withName: name, fileName: fileName, mimeType: mimeType)
    }

    /// Appends a file with its current length: bytes added later are not sent, and missing ones are an error. A file
    /// that the kernel generates, as under `/proc`, is sent as it is read.
    ///
    /// Anything but a readable regular file is an error when the body is created.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        var file = stat()
        guard fileURL.isFileURL else { return fail(.bodyPartURLInvalid(url: fileURL)) }
        guard stat(fileURL.path, &file) == 0, access(fileURL.path, R_OK) == 0 else {
            return fail(.bodyPartFileNotReachableWithError(atURL: fileURL, error: SystemError.last))
        }
        guard file.st_mode & S_IFMT != S_IFDIR else { return fail(.bodyPartFileIsDirectory(at: fileURL)) }
        guard file.st_mode & S_IFMT == S_IFREG else { return fail(.bodyPartFileSizeNotAvailable(at: fileURL)) }
        let source = BodySource.file(path: fileURL.path)
        let length = (try? source.length()) ?? nil
        // The reported size of a generated file is not its length.
        let isLengthKnown = length == Int64(file.st_size)
        append(
            MultipartPart(
                headers: MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType),
                body: isLengthKnown ? .file(path: fileURL.path, range: 0..<Int64(file.st_size)) : source,
                length: length.map(UInt64.init)
            )
        )
    }

    /// Appends a stream as a file.
    ///
    /// - Parameter length: The length in bytes. `nil` makes the length of the complete body unknown; a stream with more
    ///   or fewer bytes than announced is an error when it is read.
    public func append(
        _ stream: any BodyStream,
        withLength length: UInt64?,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        let headers = MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType)
        append(stream, withLength: length, headers: headers)
    }

    /// Appends a stream with explicit header fields. They are not escaped; invalid characters are an error when the
    /// body is created.
    public func append(_ stream: any BodyStream, withLength length: UInt64?, headers: HTTPHeaders) {
        let body = BodySource.stream(stream, length: length.flatMap(Int64.init(exactly:)))
        append(MultipartPart(headers: headers, body: body, length: length))
    }

    /// Appends a body with explicit header fields, which are not escaped.
    ///
    /// - Parameter length: The length in bytes; `nil` makes the length of the complete body unknown.
    public func append(_ body: BodySource, withLength length: UInt64?, headers: HTTPHeaders) {
        append(MultipartPart(headers: headers, body: body, length: length))
    }

    /// Returns the header fields of a form part, with names escaped as in browsers.
    public static func headers(name: String, fileName: String? = nil, mimeType: String? = nil) -> HTTPHeaders {
        MultipartPart.headers(name: name, fileName: fileName, mimeType: mimeType)
    }
}
