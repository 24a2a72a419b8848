/// One part of a multipart body.
struct MultipartPart: Sendable {
    let headers: HTTPHeaders
    let body: BodySource
    /// The length in bytes; `nil` if it is unknown.
    let length: UInt64?

    /// The header lines and the empty line after them.
    var head: [UInt8] {
        Array(headers.map { "\($0.name): \($0.value)\r\n" }.joined().utf8) + Array("\r\n".utf8)
    }

    /// Returns the header fields of a form part.
    static func headers(name: String, fileName: String?, mimeType: String?) -> HTTPHeaders {
        var disposition = "form-data; name=\"\(name.escapedForFormData)\""
        if let fileName { disposition += "; filename=\"\(fileName.escapedForFormData)\"" }
        var headers: HTTPHeaders = [.contentDisposition(disposition)]
        if let mimeType { headers.add(.contentType(mimeType)) }
        return headers
    }
}

extension String {
    /// The name with line breaks and quotes escaped (WHATWG HTML, multipart/form-data encoding).
    fileprivate var escapedForFormData: String {
        unicodeScalars.reduce(into: "") { escaped, scalar in
            switch scalar {
            case "\"": escaped += "%22"
            case "\r": escaped += "%0D"
            case "\n": escaped += "%0A"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
    }
}
