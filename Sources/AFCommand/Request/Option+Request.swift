internal import AFCore

extension Invocation {
    struct Request: Equatable, Sendable {
        enum BodyKind: Equatable, Sendable { case json, form, multipart }

        /// As typed: not upper-cased.
        var method: String?
        var headers: [TypedHeader] = []
        var bodyKind: BodyKind?
        var parts: [TypedPart] = []
        var raw: String?
        var uploadFile: String?
        var boundary: String?
        /// How often `--compress` was given: once where it is worth it, twice always.
        var compression = 0
        var isChunked = false
        var ignoresStandardInput = false
        var defaultScheme: DefaultScheme?
        var range: ByteRanges?
        var expectContinue: ExpectContinue?
    }

    /// One `-H`.
    struct TypedHeader: Equatable, Sendable {
        let edit: HeaderEdit
        /// How many positional arguments came before it, so that options and items keep their order.
        let precedingPositionals: Int
    }

    /// One `-F` or `--form-string`, to be read when the plan is made.
    struct TypedPart: Equatable, Sendable {
        let text: String
        /// Whether `@`, `<` and `;` in the value mean themselves.
        let isLiteral: Bool
        /// How many positional arguments came before it, so that parts and items keep their order.
        let precedingPositionals: Int
    }
}

enum DefaultScheme: String, ArgumentValue, CaseIterable {
    case http, https
}

extension ExpectContinue: ArgumentValue {
    private static let spellings = [("auto", automatic), ("yes", always), ("no", never)]

    static var hint: Option.Hint { .choice(spellings.map(\.0)) }

    init(argument: String) throws(UsageError) {
        guard let (_, value) = Self.spellings.first(where: { $0.0 == argument.lowercased() }) else {
            let choices = Self.spellings.map(\.0).joined(separator: ", ")
            throw UsageError("expected one of \(choices), got '\(argument)'")
        }
        self = value
    }
}

extension Option {
    static let method = Option(
        "-X", "--method",
        in: .request,
        summary: "Send this method, spelled exactly so",
        details: """
            For methods that are not made of letters alone. An ordinary one can stand before the URL, in any case: \
            `afcli put example.org`.
            """,
        effect: .argument("METHOD", hint: .suggestion(CompletionWords.methods), sets: \.request.method)
    )

    static let header = Option(
        "-H", "--header",
        in: .request,
        summary: "Add a header: 'Name: value'",
        details: """
            The same as an item `Name:value`, without its escapes. `Name:` removes a default header, \
            `Name;` sends one without a value. May be repeated.
            """,
        effect: .header
    )

    static let json = Option(
        "-j", "--json",
        in: .request,
        summary: "Send the items as a JSON object (the default)",
        details: "Asks for JSON in `Accept`, with or without items.",
        effect: .flag(\.request.bodyKind, sets: .json)
    )

    static let form = Option(
        "-f", "--form",
        in: .request,
        summary: "Send the items as form fields",
        details: "As `application/x-www-form-urlencoded`; with a file among the items, as multipart.",
        effect: .flag(\.request.bodyKind, sets: .form)
    )

    static let multipart = Option(
        "--multipart",
        in: .request,
        summary: "Send the items as multipart/form-data",
        effect: .flag(\.request.bodyKind, sets: .multipart)
    )

    static let part = Option(
        "-F", "--part",
        in: .request,
        summary: "Add a part: name=text, name=@file or name=<file",
        details: """
            `@file` uploads a file, `<file` sends its content as text; `-` is standard input. Then, each after a \
            semicolon: `type=MEDIA/TYPE`, `filename=NAME`, `headers=@FILE`. A value with semicolons or commas goes \
            into double quotes. Parts may be mixed with items `name=value`. Makes the body multipart/form-data.
            """,
        effect: .part(isLiteral: false)
    )

    static let formString = Option(
        "--form-string",
        in: .request,
        summary: "Add a part whose text is taken as it is: name=text",
        effect: .part(isLiteral: true)
    )

    static let raw = Option(
        "--raw",
        in: .request,
        summary: "Send this text as the body; @FILE or @- for a file",
        effect: .text("TEXT", mayHoldControls: true, sets: \.request.raw)
    )

    static let uploadFile = Option(
        "-T", "--upload-file",
        in: .request,
        summary: "Send a file as the body, with PUT unless told",
        details: "`-` is standard input. A URL that ends in a slash gets the file's name.",
        effect: .argument("FILE", hint: .file, sets: \.request.uploadFile)
    )

    static let boundary = Option(
        "--boundary",
        in: .request,
        summary: "Separate multipart parts with this text",
        effect: .argument("TEXT", sets: \.request.boundary)
    )

    static let compress = Option(
        "-x", "--compress",
        in: .request,
        summary: "Compress the body if that is shorter; -xx: always",
        details: """
            With `Content-Encoding: deflate`. A body of unknown length is compressed in any case, as is one of more than \
            64 MiB; the compressed length is then not announced.
            """,
        effect: .count(\.request.compression)
    )

    static let chunked = Option(
        "--chunked",
        in: .request,
        summary: "Send the body in chunks, without its length",
        details: "With `Transfer-Encoding: chunked`, where HTTP/1.1 is spoken; HTTP/2 has no such coding.",
        effect: .flag(\.request.isChunked, sets: true)
    )

    static let ignoreStandardInput = Option(
        "-I", "--ignore-stdin",
        in: .request,
        summary: "Never read standard input, never prompt",
        effect: .flag(\.request.ignoresStandardInput, sets: true)
    )

    static let https = Option(
        "--https",
        in: .request,
        summary: "Use https where the URL names no scheme",
        effect: .flag(\.request.defaultScheme, sets: .https)
    )

    static let defaultScheme = Option(
        "--default-scheme",
        in: .request,
        summary: "The scheme of URLs that name none (http)",
        effect: .argument("SCHEME", sets: \.request.defaultScheme)
    )

    static let range = Option(
        "--range",
        in: .request,
        summary: "Ask for these bytes only: 0-99, 100-, -500",
        details: "Sent as a `Range` header. Servers may ignore it and answer 200 with everything.",
        effect: .argument("RANGES", sets: \.request.range)
    )

    static let expectContinue = Option(
        "--expect100",
        in: .request,
        summary: "Ask the server before sending the body",
        details: """
            `auto` asks with bodies above 1 MiB. The body goes out anyway when the server says nothing for a second. \
            Over HTTP/2 it goes out at once.
            """,
        effect: .argument("WHEN", sets: \.request.expectContinue)
    )
}

extension Option.Effect {
    /// Keeps a header together with its place among the items.
    fileprivate static let header = Self(
        shape: .argument(name: "HEADER", hint: HeaderEdit.hint), resetting: \.request.headers
    ) { (invocation, text) throws(UsageError) in
        let edit = try HeaderEdit(argument: text ?? "")
        let header = Invocation.TypedHeader(edit: edit, precedingPositionals: invocation.positionals.count)
        invocation.request.headers.append(header)
    }

    /// Keeps the text of a part together with its place among the items.
    fileprivate static func part(isLiteral: Bool) -> Self {
        let hint: Option.Hint = isLiteral ? .anything : .part
        return Self(shape: .argument(name: "PART", hint: hint), resetting: \.request.parts) { (invocation, text) in
            let part = Invocation.TypedPart(
                text: text ?? "",
                isLiteral: isLiteral,
                precedingPositionals: invocation.positionals.count
            )
            invocation.request.parts.append(part)
        }
    }
}
