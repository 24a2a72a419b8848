internal import AFHTTP

extension HTTPURLResponse {
    /// The value of a field that occurs once.
    func only(_ name: String) -> String? {
        let values = headers.values(for: name)
        return values.count == 1 ? values[0] : nil
    }

    /// The offset that the server reports.
    var uploadOffset: Int64? { count("Upload-Offset") }

    /// The time after which a server of tus removes the upload.
    var expiry: HTTPDate? { only("Upload-Expires").flatMap { HTTPDate(parsing: $0) } }

    /// The value of a field with a number of bytes.
    func count(_ name: String) -> Int64? { only(name)?.uploadCount }

    /// Whether the server speaks tus 1.0.0.
    var offersTus: Bool {
        only("Tus-Resumable") == "1.0.0" || headers.listed("Tus-Version").contains("1.0.0")
    }
}

extension String {
    /// The number in a field or a document: digits only, with at most 15 of them (RFC 9651 §3.3.1).
    var uploadCount: Int64? {
        1...15 ~= utf8.count && utf8.allSatisfy(\.isASCIIDigit) ? Int64(self) : nil
    }
}
