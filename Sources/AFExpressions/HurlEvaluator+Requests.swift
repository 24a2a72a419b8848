internal import AFHTTP
package import AFHurl

/// A request with its values filled in.
package struct HurlRequestValues: Equatable, Sendable {
    /// A name and its value.
    package struct Field: Equatable, Sendable {
        /// The name.
        package let name: String
        /// The value.
        package let value: String

        /// Whether the field is the media type of the body.
        package var isContentType: Bool { name.isSameFieldName(as: "Content-Type") }

        /// Creates a field.
        package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
    }

    /// A part of a multipart body.
    package struct Part: Equatable, Sendable {
        /// The contents of a part.
        package enum Content: Equatable, Sendable {
            case text(String)
            case file([UInt8], path: String, type: String)
        }

        /// The name of the part.
        package let name: String
        /// The contents of the part.
        package let content: Content
    }

    /// The body of a request.
    package enum Body: Equatable, Sendable {
        case none
        case bytes([UInt8])
        case multipart([Part])
    }

    /// The method.
    package let method: String
    /// The URL with the parameters of the query section.
    package let url: String
    /// The header fields as written.
    package let headers: [Field]
    /// The cookies of this request alone.
    package let cookies: [Field]
    /// The user name and the password of basic authentication.
    package let credentials: Field?
    /// The body.
    package let body: Body
    /// The media type of the body if the request has no header for it; `nil` to send none.
    package let implicitType: String?
}

/// Requests and options.
extension HurlEvaluator {
    /// Returns a request with its values.
    package func values(of request: HurlRequest) throws(HurlEvaluationError) -> HurlRequestValues {
        var (parameters, form, cookies) = ([HurlKeyValue](), [HurlKeyValue]?.none, [HurlKeyValue]())
        var multipart: [HurlMultipartItem]?
        var credentials: HurlRequestValues.Field?
        for section in request.sections {
            switch section.content {
            case .query(let items): parameters = items
            case .form(let items): form = items
            case .cookies(let items): cookies = items
            case .multipart(let items): multipart = items
            case .basicAuth(let item): if let item { credentials = try field(item) }
            case .options: break
            }
        }
        var headers = try fields(request.headers)
        if request.editor != nil, let index = headers.firstIndex(where: { $0.basicCredentials != nil }) {
            credentials = headers.remove(at: index).basicCredentials
        }
        var type = request.body?.implicitType
        var body = HurlRequestValues.Body.none
        if let written = request.body {
            body = .bytes(try bytes(of: written))
        } else if let form {
            body = .bytes(Array(try encoded(form).utf8))
            type = "application/x-www-form-urlencoded"
        } else if let multipart {
            body = .multipart(try parts(multipart))
        }
        return HurlRequestValues(
            method: request.method, url: try url(of: request, parameters), headers: headers,
            cookies: try fields(cookies), credentials: credentials, body: body,
            implicitType: headers.contains(where: \.isContentType) ? nil : type)
    }

    private func field(_ item: HurlKeyValue) throws(HurlEvaluationError) -> HurlRequestValues.Field {
        HurlRequestValues.Field(try text(of: item.key), try text(of: item.value))
    }

    private func fields(_ items: [HurlKeyValue]) throws(HurlEvaluationError) -> [HurlRequestValues.Field] {
        var fields: [HurlRequestValues.Field] = []
        for item in items { fields.append(try field(item)) }
        return fields
    }

    /// Returns parameters in the notation of forms; only their values are encoded.
    private func encoded(_ items: [HurlKeyValue]) throws(HurlEvaluationError) -> String {
        try fields(items).map { field in
            "\(field.name)=\(Array(field.value.utf8).percentEncoded { byte, _ in !byte.isUnreserved })"
        }.joined(separator: "&")
    }

    private func url(of request: HurlRequest, _ parameters: [HurlKeyValue]) throws(HurlEvaluationError) -> String {
        let text = try text(of: request.url)
        let url = request.editor == nil ? text : text.withEncodedCharacters
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            let hasScheme = url.prefix { $0 != "/" && $0 != "?" && $0 != "#" }.contains(":")
            let reason =
                hasScheme
                ? "Only <http://> and <https://> schemes are supported" : "Missing scheme <http://> or <https://>"
            throw HurlEvaluationError(.invalidURL(url, reason: reason), at: request.url.range)
        }
        guard !parameters.isEmpty else { return url }
        let query = try encoded(parameters)
        let mark = url.firstIndex(of: "#") ?? url.endIndex
        let base = url[..<mark]
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        return base + separator + query + url[mark...]
    }

    private func parts(_ items: [HurlMultipartItem]) throws(HurlEvaluationError) -> [HurlRequestValues.Part] {
        var parts: [HurlRequestValues.Part] = []
        for item in items {
            let content: HurlRequestValues.Part.Content
            switch item.value {
            case .text(let template): content = .text(try text(of: template))
            case .file(let template, let type):
                let (contents, path) = (try contents(ofFile: template), try text(of: template))
                let written = try type.map { type throws(HurlEvaluationError) in try text(of: type) }
                content = .file(contents, path: path, type: written ?? HurlMultipartItem.type(ofFile: path))
            }
            parts.append(HurlRequestValues.Part(name: try text(of: item.name), content: content))
        }
        return parts
    }
}

extension HurlMultipartItem {
    private static let types = [
        "gif": "image/gif", "jpg": "image/jpeg", "jpeg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml",
        "txt": "text/plain", "htm": "text/html", "html": "text/html", "pdf": "application/pdf",
        "xml": "application/xml",
    ]

    /// Returns the media type of a file by the end of its name.
    package static func type(ofFile path: String) -> String {
        guard let dot = path.lastIndex(of: ".") else { return "application/octet-stream" }
        return types[path[path.index(after: dot)...].lowercased()] ?? "application/octet-stream"
    }
}

/// The value of an option.
package enum HurlOptionValue: Equatable, Sendable {
    case boolean(Bool)
    case natural(UInt64)
    /// A number of times; `nil` for no limit.
    case count(UInt64?)
    case milliseconds(UInt64)
    case text(String)
    case verbosity(HurlOption.Verbosity)
    case variable(String, HurlValue)
}

extension HurlEvaluator {
    /// Returns the value of an option.
    package func value(of option: HurlOption) throws(HurlEvaluationError) -> HurlOptionValue {
        switch option.value {
        case .text(let template): return .text(try text(of: template))
        case .boolean(.value(let value)): return .boolean(value)
        case .natural(.value(let value)): return .natural(value)
        case .count(.value(let value)): return .count(value)
        case .verbosity(.value(let value)): return .verbosity(value)
        case .duration(.value(let duration)):
            guard let milliseconds = duration.milliseconds(default: .milliseconds) else {
                throw HurlEvaluationError(
                    .optionValue(name: option.name.rawValue, value: "\(duration.count)", reason: "too large"),
                    at: option.range)
            }
            return .milliseconds(milliseconds)
        case .definition(let name, let value): return .variable(name, try self.value(of: value))
        case .boolean(.placeholder(let placeholder)):
            return try value(of: placeholder, expected: "boolean") { value in
                if case .boolean(let value) = value { .boolean(value) } else { nil }
            }
        case .natural(.placeholder(let placeholder)):
            return try value(of: placeholder, expected: "integer >= 0") { $0.natural.map { .natural($0) } }
        case .duration(.placeholder(let placeholder)):
            return try value(of: placeholder, expected: "duration") { $0.natural.map { .milliseconds($0) } }
        case .count(.placeholder(let placeholder)):
            return try value(of: placeholder, expected: "integer >= -1") { value in
                value == .number(.integer(-1)) ? .count(nil) : value.natural.map { .count($0) }
            }
        case .verbosity(.placeholder(let placeholder)):
            return try value(of: placeholder, expected: "brief, verbose or debug") { value in
                guard case .string(let text) = value else { return nil }
                return HurlOption.Verbosity(rawValue: text).map { .verbosity($0) }
            }
        }
    }

    private func value(
        of placeholder: HurlPlaceholder, expected: String, convert: (HurlValue) -> HurlOptionValue?
    ) throws(HurlEvaluationError) -> HurlOptionValue {
        let value = try value(of: placeholder)
        if let converted = convert(value) { return converted }
        throw HurlEvaluationError(.invalidType(value: value.description, expected: expected), at: placeholder.range)
    }

    private func value(of definition: HurlDefinedValue) throws(HurlEvaluationError) -> HurlValue {
        switch definition {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .number(let number): .number(number)
        case .string(let template): .string(try text(of: template))
        }
    }
}

extension HurlValue {
    fileprivate var natural: UInt64? {
        if case .number(.integer(let value)) = self { UInt64(exactly: value) } else { nil }
    }
}
