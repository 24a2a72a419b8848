/// The encoding of `application/x-www-form-urlencoded`: a space is `+`, everything but `A-Za-z0-9_.-~` is `%XX`.
enum FormEncoding {
    static func encode(_ text: String) -> String {
        String(decoding: encoded(Array(text.utf8)), as: UTF8.self)
    }

    static func encoded(_ bytes: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for byte in bytes {
            if byte == 0x20 {
                encoded.append(UInt8(ascii: "+"))
            } else if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded.appendPercentEncoded(byte)
            }
        }
        return encoded
    }

    /// Returns text with `%20` for a space, as in a URL.
    static func percentEncoded(_ bytes: [UInt8]) -> String {
        String(decoding: encoded(bytes), as: UTF8.self).replacing("+", with: "%20")
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

extension UInt8 {
    /// Whether the byte is unreserved (RFC 3986 §2.3).
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "~"): true
        default: false
        }
    }
}

extension [UInt8] {
    mutating func appendPercentEncoded(_ byte: UInt8) {
        let digits = Array("0123456789ABCDEF".utf8)
        append(UInt8(ascii: "%"))
        append(digits[Int(byte >> 4)])
        append(digits[Int(byte & 15)])
    }
}
