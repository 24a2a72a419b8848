internal import AFHTTP

/// The encoding of `application/x-www-form-urlencoded`: a space is `+`, everything but `A-Za-z0-9_.-~` is `%XX`.
enum FormEncoding {
    static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

    static func encode(_ bytes: [UInt8], uppercase: Bool = true) -> String {
        bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
            .map { Array($0).percentEncoded(uppercase: uppercase) { byte, _ in !byte.isUnreserved } }
            .joined(separator: "+")
    }

    /// Returns `name=value` pairs joined by `&`, in order.
    static func encode(_ fields: [(name: String, value: String)]) -> String {
        var encoded = ""
        for field in fields {
            if !encoded.isEmpty { encoded += "&" }
            encoded += "\(encode(field.name))=\(encode(field.value))"
        }
        return encoded
    }
}
