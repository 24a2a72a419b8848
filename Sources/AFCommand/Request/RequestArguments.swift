internal import AFCore

/// The options for the request, as typed.
struct RequestArguments: OptionValues {
    /// The method, URL and items, as typed.
    var positionals: [String] = []
    /// The value of `--method` as typed, not converted to upper case.
    var method: String?
    var headers: [TypedHeader] = []
    var bodyKind: BodyKind?
    var parts: [TypedPart] = []
    var raw: String?
    var uploadFile: String?
    var boundary: String?
    /// The number of `--compress` options: one compresses if that is useful, two always.
    var compression = 0
    var isChunked = false
    var ignoresStandardInput = false
    var defaultScheme: DefaultScheme?
    var range: ByteRanges?
    var expectContinue: ExpectContinue?

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
    }
}

enum DefaultScheme: String, ArgumentValue, CaseIterable {
    case http, https
}

extension ExpectContinue: ArgumentValue {
    private static let spellings = [("auto", automatic), ("yes", always), ("no", never)]

    static var hint: ArgumentHint { .choice(spellings.map(\.0)) }

    init(argument: String) throws(UsageError) {
        guard let (_, value) = Self.spellings.first(where: { $0.0 == argument.lowercased() }) else {
            let choices = Self.spellings.map(\.0).joined(separator: ", ")
            throw UsageError("expected one of \(choices), got '\(argument)'")
        }
        self = value
    }
}

extension Option<RequestArguments>.Effect {
    /// Stores a header field with its position among the items.
    fileprivate static var header: Self {
        Self(shape: .argument(name: "HEADER", hint: HeaderEdit.hint), resetting: \.headers) {
            (values, text) throws(UsageError) in
            let edit = try HeaderEdit(argument: text ?? "")
            values.headers.append(.init(edit: edit, precedingPositionals: values.positionals.count))
        }
    }

    /// Stores the text of a part with its position among the items.
    fileprivate static func part(isLiteral: Bool) -> Self {
        Self(shape: .argument(name: "PART", hint: isLiteral ? .anything : .part), resetting: \.parts) {
            (values, text) in
            let place = values.positionals.count
            values.parts.append(.init(text: text ?? "", isLiteral: isLiteral, precedingPositionals: place))
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
            summary: "Send this method, spelled exactly so",
            details: """
                For methods that are not made of letters alone. An ordinary one can stand before the URL, in any case: \
                `afcli put example.org`.
                """,
            effect: .argument("METHOD", hint: .suggestion(suggestedMethods), sets: \.method)
        )

        Option(
            "-H", "--header",
            summary: "Add a header: 'Name: value'",
            details: """
                The same as an item `Name:value`, without its escapes. `Name:` removes a default header, \
                `Name;` sends one without a value. May be repeated.
                """,
            effect: .header
        )

        Option(
            "-j", "--json",
            summary: "Send the items as a JSON object (the default)",
            details: "Asks for JSON in `Accept`, with or without items.",
            effect: .flag(\.bodyKind, sets: .json)
        )

        Option(
            "-f", "--form",
            summary: "Send the items as form fields",
            details: "As `application/x-www-form-urlencoded`; with a file among the items, as multipart.",
            effect: .flag(\.bodyKind, sets: .form)
        )

        Option(
            "--multipart",
            summary: "Send the items as multipart/form-data",
            effect: .flag(\.bodyKind, sets: .multipart)
        )

        Option(
            "-F", "--part",
            summary: "Add a part: name=text, name=@file or name=<file",
            details: """
                `@file` uploads a file, `<file` sends its content as text; `-` is standard input. Then, each after a \
                semicolon: `type=MEDIA/TYPE`, `filename=NAME`, `headers=@FILE`. A value with semicolons or commas goes \
                into double quotes. Parts may be mixed with items `name=value`. Makes the body multipart/form-data.
                """,
            effect: .part(isLiteral: false)
        )

        Option(
            "--form-string",
            summary: "Add a part whose text is taken as it is: name=text",
            effect: .part(isLiteral: true)
        )

        Option(
            "--raw",
            summary: "Send this text as the body; @FILE or @- for a file",
            effect: .text("TEXT", mayHoldControls: true, sets: \.raw)
        )

        Option(
            "-T", "--upload-file",
            summary: "Send a file as the body, with PUT unless told",
            details: "`-` is standard input. A URL that ends in a slash gets the file's name.",
            effect: .argument("FILE", hint: .file, sets: \.uploadFile)
        )

        Option(
            "--boundary",
            summary: "Separate multipart parts with this text",
            effect: .argument("TEXT", sets: \.boundary)
        )

        Option(
            "-x", "--compress",
            summary: "Compress the body if that is shorter; -xx: always",
            details: """
                With `Content-Encoding: deflate`. A body of unknown length is compressed in any case, as is one of \
                more than 64 MiB; the compressed length is then not announced.
                """,
            effect: .count(\.compression)
        )

        Option(
            "--chunked",
            summary: "Send the body in chunks, without its length",
            details: "With `Transfer-Encoding: chunked`, where HTTP/1.1 is spoken; HTTP/2 has no such coding.",
            effect: .flag(\.isChunked, sets: true)
        )

        Option(
            "-I", "--ignore-stdin",
            summary: "Never read standard input, never prompt",
            effect: .flag(\.ignoresStandardInput, sets: true)
        )

        Option(
            "--https",
            summary: "Use https where the URL names no scheme",
            effect: .flag(\.defaultScheme, sets: .https)
        )

        Option(
            "--default-scheme",
            summary: "The scheme of URLs that name none (http)",
            effect: .argument("SCHEME", sets: \.defaultScheme)
        )

        Option(
            "--range",
            summary: "Ask for these bytes only: 0-99, 100-, -500",
            details: "Sent as a `Range` header. Servers may ignore it and answer 200 with everything.",
            effect: .argument("RANGES", sets: \.range)
        )

        Option(
            "--expect100",
            summary: "Ask the server before sending the body",
            details: """
                `auto` asks with bodies above 1 MiB. The body goes out anyway when the server says nothing for a \
                second. Over HTTP/2 it goes out at once.
                """,
            effect: .argument("WHEN", sets: \.expectContinue)
        )
    }
}
