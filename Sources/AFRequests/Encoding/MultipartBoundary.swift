/// The boundary between the parts of a multipart body (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// Returns `afcli.boundary.` and 16 hexadecimal digits: 64 random bits, so that no part contains it.
    static func random() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "afcli.boundary." + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Whether RFC 2046 allows the boundary: 1 to 70 characters of a set, the last not a space.
    static func isValid(_ boundary: String) -> Bool {
        (1...70).contains(boundary.utf8.count) && boundary.last != " "
            && boundary.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9": true
                default: "'()+_,-./:=? ".unicodeScalars.contains(scalar)
                }
            }
    }

    static func opening(_ boundary: String, isFirst: Bool) -> [UInt8] {
        Array("\(isFirst ? "" : "\r\n")--\(boundary)\r\n".utf8)
    }

    static func closing(_ boundary: String) -> [UInt8] {
        Array("\r\n--\(boundary)--\r\n".utf8)
    }
}
