/// A value of a response.
package struct HurlQuery: Equatable, Sendable {
    /// The kinds of queries.
    package enum Content: Equatable, Sendable {
        case status, version, url, body, bytes, rawbytes, sha256, md5, duration, ip, redirects
        case header(HurlTemplate)
        case cookie(HurlTemplate, HurlCookieAttribute)
        case xpath(HurlTemplate)
        case jsonpath(HurlTemplate)
        case regex(HurlPattern)
        case variable(HurlTemplate)
        case certificate(HurlCertificateField)

        /// The queries without an argument.
        static let plain: [String: Content] = [
            "status": .status, "version": .version, "url": .url, "body": .body, "bytes": .bytes, "rawbytes": .rawbytes,
            "sha256": .sha256, "md5": .md5, "duration": .duration, "ip": .ip, "redirects": .redirects,
        ]
    }

    /// The names of all queries.
    static let names =
        (Content.plain.keys + ["certificate", "cookie", "header", "jsonpath", "regex", "variable", "xpath"]).sorted()

    /// The kind, with its argument.
    package let content: Content
    /// The query with its argument.
    package let range: SourceRange
}

/// An attribute of a cookie, or its value.
package enum HurlCookieAttribute: String, CaseIterable, Sendable {
    case value = "Value"
    case expires = "Expires"
    case maxAge = "Max-Age"
    case domain = "Domain"
    case path = "Path"
    case secure = "Secure"
    case httpOnly = "HttpOnly"
    case sameSite = "SameSite"
}

/// A field of a server's certificate.
package enum HurlCertificateField: String, CaseIterable, Sendable {
    case subject = "Subject"
    case issuer = "Issuer"
    case startDate = "Start-Date"
    case expireDate = "Expire-Date"
    case serialNumber = "Serial-Number"
    case subjectAltName = "Subject-Alt-Name"
    case value = "Value"
}

/// A regular expression: a literal between slashes, or a string that is compiled when it is used.
package enum HurlPattern: Equatable, Sendable {
    case literal(String, SourceRange)
    case template(HurlTemplate)

    /// The expression with its delimiters.
    package var range: SourceRange {
        switch self {
        case .literal(_, let range): range
        case .template(let template): template.range
        }
    }
}

/// A conversion of a value.
package struct HurlFilter: Equatable, Sendable {
    /// The kinds of filters.
    package enum Content: Equatable, Sendable {
        case base64Decode, base64Encode, base64UrlSafeDecode, base64UrlSafeEncode, count, daysAfterNow, daysBeforeNow
        case first, last, htmlEscape, htmlUnescape, location, toFloat, toHex, toInt, toString
        case urlDecode, urlEncode, utf8Decode, utf8Encode
        case charsetDecode(HurlTemplate)
        case dateFormat(HurlTemplate)
        case jsonpath(HurlTemplate)
        case nth(HurlLiteral<Int64>)
        case regex(HurlPattern)
        case replace(HurlTemplate, with: HurlTemplate)
        case replaceRegex(HurlPattern, with: HurlTemplate)
        case split(HurlTemplate)
        case toDate(HurlTemplate)
        case urlQueryParam(HurlTemplate)
        case xpath(HurlTemplate)

        /// The filters without an argument.
        static let plain: [String: Content] = [
            "base64Decode": .base64Decode, "base64Encode": .base64Encode, "base64UrlSafeDecode": .base64UrlSafeDecode,
            "base64UrlSafeEncode": .base64UrlSafeEncode, "count": .count, "daysAfterNow": .daysAfterNow,
            "daysBeforeNow": .daysBeforeNow, "first": .first, "last": .last, "htmlEscape": .htmlEscape,
            "htmlUnescape": .htmlUnescape, "location": .location, "toFloat": .toFloat, "toHex": .toHex,
            "toInt": .toInt, "toString": .toString, "urlDecode": .urlDecode, "urlEncode": .urlEncode,
            "utf8Decode": .utf8Decode, "utf8Encode": .utf8Encode,
        ]
    }

    /// The kind, with its arguments.
    package let content: Content
    /// The filter with its arguments.
    package let range: SourceRange
}

/// A condition for a value.
package struct HurlPredicate: Equatable, Sendable {
    /// A comparison with a value.
    package enum Comparison: String, CaseIterable, Sendable {
        case equal = "=="
        case notEqual = "!="
        case greaterOrEqual = ">="
        case greater = ">"
        case lessOrEqual = "<="
        case less = "<"
        case startsWith, endsWith, contains, includes, matches
    }

    /// A test of a value alone.
    package enum Test: String, CaseIterable, Sendable {
        case exists, isEmpty, isBoolean, isInteger, isFloat, isNumber, isString, isDate, isList, isObject, isCollection
        case isIsoDate, isIpv4, isIpv6, isUuid
    }

    /// The kinds of predicates.
    package enum Content: Equatable, Sendable {
        case comparison(Comparison, HurlPredicateValue)
        case test(Test)
    }

    /// Whether `not` precedes the predicate.
    package let isNegated: Bool
    /// The kind, with its value.
    package let content: Content
    /// The predicate without `not`.
    package let range: SourceRange
}

/// The value of a comparison.
package enum HurlPredicateValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case number(HurlNumber)
    case string(HurlTemplate)
    case multiline(HurlMultilineText)
    case bytes([UInt8])
    case file(HurlTemplate)
    case regex(String, SourceRange)
    case placeholder(HurlPlaceholder)
}
