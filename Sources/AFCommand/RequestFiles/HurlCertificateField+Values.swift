internal import AFExpressions
internal import AFHTTP
internal import AFHurl

/// The certificate of a server in libcurl's words.
extension HurlCertificateField {
    /// The fields by their names in libcurl's descriptions.
    private static let fields: [String: HurlCertificateField] = [
        "subject": .subject, "issuer": .issuer, "serial number": .serialNumber, "start date": .startDate,
        "expire date": .expireDate, "x509v3 subject alternative name": .subjectAltName, "cert": .value,
    ]

    /// Returns the fields of libcurl's description of a certificate.
    static func values(inDescription lines: [String]) -> [HurlCertificateField: HurlValue] {
        var values: [HurlCertificateField: HurlValue] = [:]
        for line in lines {
            guard let (name, value) = line.halves(around: ":"), let field = fields[name.lowercased()] else {
                continue
            }
            let text = String(value)
            switch field {
            case .subject, .issuer: values[field] = .string(text.replacing(" = ", with: "="))
            case .startDate, .expireDate: values[field] = date(text)
            case .serialNumber: values[field] = .string(pairs(ofSerialNumber: text))
            case .subjectAltName, .value: values[field] = .string(text)
            }
        }
        return values
    }

    /// Returns the digits of a serial number in pairs: `1e:e8:b1`. libcurl's notation depends on its TLS library.
    private static func pairs(ofSerialNumber text: String) -> String {
        guard !text.contains(":") else { return text.split(separator: ":").joined(separator: ":") }
        let digits = Array(text.count.isMultiple(of: 2) ? text : "0\(text)")
        return stride(from: 0, to: digits.count, by: 2).map { String(digits[$0..<$0 + 2]) }.joined(separator: ":")
    }

    /// Returns the date of a text such as `Nov  6 08:49:37 1994 GMT`.
    private static func date(_ text: String) -> HurlValue? {
        let moment = text.hasSuffix(" GMT") ? String(text.dropLast(4)) : text
        return HTTPDate(parsing: "Sun \(moment)").map { .date(HurlDate(secondsSince1970: $0.secondsSince1970)) }
    }
}
