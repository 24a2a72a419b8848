internal import AFCore
internal import AFFormatting
internal import AFHTTP

/// The options for the request, as typed.
struct RequestArguments: Equatable, Sendable {
    /// The method, URL and items, as typed.
    var positionals: [String] = []
    /// The value of `--method` as typed, not converted to upper case.
    var method: String?
    var headers: [TypedHeader] = []
    /// The header options of the configuration. Typed fields of the same name replace them.
    private(set) var configuredHeaders: [HeaderEdit] = []
    /// The header fields that the configuration has for the host. Typed ones of the same name replace them.
    private(set) var hostHeaders: [HTTPHeader] = []
    var bodyKind: BodyKind?
    var parts: [TypedPart] = []
    var raw: String?
    var uploadFiles: [String] = []
    var boundary: String?
    /// The number of `--compress` options: one compresses if that is useful, two always.
    var compression = 0
    var isChunked = false
    var ignoresStandardInput = false
    var defaultScheme: HTTPURL.Scheme?
    var range: String?
    var expectContinue: ExpectContinue?

    /// The file that is the body; several are sent one by one.
    var uploadFile: String? { uploadFiles.last }

    enum BodyKind: Equatable, Sendable { case json, form, multipart }

    /// A header field of `-H`.
    struct TypedHeader: Equatable, Sendable {
        let edit: HeaderEdit
        /// The number of positional arguments before it, so that options and items keep their order.
        let precedingPositionals: Int
    }

    /// A part of `-F` or `--form-string`, parsed when the plan is created.
    struct TypedPart: Equatable, Sendable {
        let text: String
        /// Whether `@`, `<` and `;` in the value are literal.
        let isLiteral: Bool
        /// The number of positional arguments before it, so that parts and items keep their order.
        let precedingPositionals: Int

        /// The name of its option.
        var option: String { isLiteral ? "--form-string" : "--part" }
    }
}

extension RequestArguments {
    /// Marks the header options as those of the configuration.
    mutating func moveHeadersToConfiguration() {
        configuredHeaders += headers.map(\.edit)
        headers = []
    }

    /// Moves the header options of a host to the fields for this host, replacing those of the same name.
    mutating func moveHeadersToHost() {
        var added: [HTTPHeader] = []
        for typed in headers {
            switch typed.edit {
            case .add(let header): added.append(header)
            case .remove(let name):
                added.removeAll { $0.name.isSameFieldName(as: name) }
                configuredHeaders.append(typed.edit)
            }
        }
        headers = []
        for header in added {
            configuredHeaders.removeAll { $0.name.isSameFieldName(as: header.name) }
            hostHeaders.removeAll { $0.name.isSameFieldName(as: header.name) }
        }
        hostHeaders += added
    }
}

extension HTTPURL.Scheme: ArgumentValue {}

extension ExpectContinue: ArgumentValue {
    private static let spellings = [("auto", automatic), ("yes", always), ("no", never)]

    static var hint: ArgumentHint { .choice(spellings.map(\.0)) }

    init(argument: String) throws(UsageError) {
        self = try chosen(argument, from: Self.spellings)
    }
}

extension Option<RequestArguments>.Effect {
    /// Stores a header field with its position among the items.
    fileprivate static var header: Self {
        Self(shape: .argument(name: "HEADER", hint: HeaderEdit.hint), setting: \.headers) {
            (text) throws(UsageError) in
            let edit = try HeaderEdit(argument: text ?? "")
            return { $0.headers.append(.init(edit: edit, precedingPositionals: $0.positionals.count)) }
        }
    }

    /// Stores the text of a part with its position among the items.
    fileprivate static func part(isLiteral: Bool) -> Self {
        Self(shape: .argument(name: "PART", hint: isLiteral ? .anything : .part), setting: \.parts) { text in
            let text = text ?? ""
            return {
                $0.parts.append(
                    .init(text: text, isLiteral: isLiteral, precedingPositionals: $0.positionals.count))
            }
        }
    }
}

extension RequestArguments {
    /// The methods offered for completion.
    static let suggestedMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "-X", "--method",
            summary: "Request method, sent exactly as written",
            details: """
                Only needed for methods with characters other than letters. Other methods may precede the URL, in \
                upper or lower case: `afcli put example.org`.
                """,
            effect: .argument("METHOD", hint: .suggestion(suggestedMethods), sets: \.method)
        )

        Option(
            "-H", "--header",
            summary: "Add a header field: 'Name: value'",
            details: """
                Like an item `Name:value`, without its escapes. `Name:` removes a default field, `Name;` sends a field \
                without a value. May be repeated.
                """,
            secrets: .header,
            effect: .header
        )

        Option(
            "-j", "--json",
            summary: "Send the items as a JSON object (default)",
            details: "Also requests JSON with `Accept`, even without items.",
            effect: .flag(\.bodyKind, sets: .json)
        )

        Option(
            "-f", "--form",
            summary: "Send the items as form fields",
            details: "Uses `application/x-www-form-urlencoded`, or multipart if the items include a file.",
            effect: .flag(\.bodyKind, sets: .form)
        )

        Option(
            "--multipart",
            summary: "Send the items as multipart/form-data",
            isRare: true,
            effect: .flag(\.bodyKind, sets: .multipart)
        )

        Option(
            "-F", "--part",
            summary: "Add a part: name=text, name=@file or name=<file",
            details: """
                `@file` uploads a file, `<file` sends its contents as text; `-` is standard input. Attributes follow, \
                each after a semicolon: `type=MEDIA/TYPE`, `filename=NAME`, `headers=@FILE`. A value with semicolons \
                or commas must be in double quotes. Parts may be combined with items `name=value`. The body is \
                multipart/form-data.
                """,
            curl: [.translated("form")],
            secrets: .part,
            effect: .part(isLiteral: false)
        )

        Option(
            "--form-string",
            summary: "Add a part with literal text: name=text",
            isRare: true,
            secrets: .part,
            effect: .part(isLiteral: true)
        )

        Option(
            "--raw",
            summary: "Send TEXT, @FILE or @- as the body",
            details: """
                Without a typed `Content-Type`, the field has the type of the file's extension, or else what the body is: \
                JSON, JSON lines, UTF-8 text or bytes. Of a file above 1 MiB, only the start is read for this.
                """,
            repetition: .error,
            curl: [.translated("data-binary")],
            secrets: .body,
            effect: .argument("TEXT", parsing: { $0 }, sets: \.raw)
        )

        Option(
            "-T", "--upload-file",
            summary: "Send a file as the body (default method: PUT)",
            details: """
                `-` is standard input. The file's name is appended to a URL that ends in a slash. To such a URL, several \
                files can be sent, each with an option: up to `--parallel` at the same time (default: 4), over shared \
                connections. The responses are shown in the order of the files, and a last line reports the total; the \
                exit status is that of the first failed file.
                """,
            isRare: true,
            yieldsTo: ["--upload-file"],
            effect: .argument("FILE", hint: .file, appendsTo: \.uploadFiles)
        )

        Option(
            "--boundary",
            summary: "Boundary of the multipart body",
            isRare: true,
            effect: .argument("TEXT", sets: \.boundary)
        )

        Option(
            "-x", "--compress",
            summary: "Compress the body if that is shorter; -xx: always",
            details: """
                Uses `Content-Encoding: deflate`. A body of unknown length, or of more than 64 MiB, is always \
                compressed, and sent without `Content-Length`.
                """,
            effect: .flag(\.compression) { $0 += 1 }
        )

        Option(
            "--chunked",
            summary: "Send the body in chunks, without its length",
            details: "Uses `Transfer-Encoding: chunked` in HTTP/1.1. HTTP/2 does not need it.",
            effect: .flag(\.isChunked, sets: true)
        )

        Option(
            "-I", "--ignore-stdin",
            summary: "Never read standard input, never prompt",
            effect: .flag(\.ignoresStandardInput, sets: true)
        )

        Option(
            "--https",
            summary: "Use https if the URL has no scheme",
            isRare: true,
            effect: .flag(\.defaultScheme, sets: .https)
        )

        Option(
            "--default-scheme",
            summary: "Scheme of URLs without one (default: http)",
            effect: .argument("SCHEME", sets: \.defaultScheme)
        )

        Option(
            "--range",
            summary: "Request only these bytes: 0-99, 100-, -500",
            details: """
                Sent as a `Range` field. Servers may ignore it and send the complete resource with status 200. Another \
                range than the requested one is an error (13).
                """,
            isRare: true,
            excludes: ["--resume", "--segments"],
            curl: [CurlSpelling(letter: "r", isTranslated: true)],
            effect: .argument("RANGES", parsing: ByteRanges.checked, sets: \.range)
        )

        Option(
            "--expect100",
            summary: "When to send Expect: 100-continue",
            details: """
                `auto` sends it with bodies above 1 MiB. If the server does not respond within a second, the body is \
                sent. Over HTTP/2 the body is sent immediately.
                """,
            isRare: true,
            effect: .argument("WHEN", sets: \.expectContinue)
        )
    }
}
