internal import AFCore
internal import AFHTTP

/// The request as a curl command, which sends the same bytes.
///
/// The order of header fields is preserved, except for credentials, which curl sends first, and the type of a multipart
/// body.
struct CurlCommand {
    /// An option with its argument.
    struct Word: Equatable {
        let short: String?
        let long: String
        var argument: String?
    }

    private(set) var words: [Word] = []
    /// Differences between the command and the request.
    private(set) var warnings: [String] = []
    /// The command before `curl` that provides its standard input.
    private(set) var feed: String?
    let plan: Plan
    let redaction: Redaction
    /// The body for curl.
    let body: BodyPlan
    /// Whether ``body`` is the body before compression.
    let isUncompressed: Bool

    var request: RequestPlan { plan.request }
    var url: HTTPURL { plan.url }
    var session: SessionConfiguration { plan.session }

    init(_ plan: Plan, _ redaction: Redaction) {
        (self.plan, self.redaction) = (plan, redaction)
        body = plan.request.body(for: redaction)
        isUncompressed = plan.request.isCompressed && body == plan.request.body.content
        addMethod()
        addNetwork()
        addTLS()
        addRedirects()
        addLogin()
        addHeaders()
        addBody()
        for assignment in plan.copiedToCurl { add(assignment.name, assignment.value(redaction)) }
        addOutcome()
        // curl interprets brackets and braces as ranges and lists, in file names, too.
        let isGlob =
            url.text.contains(where: "[]{}".contains) || uploadedPath?.contains(where: "[]{}".contains) == true
        if isGlob { add("--globoff") }
        // The path is already normalized.
        if url.path.contains("/.") { add("--path-as-is") }
        let shown = words.compactMap(\.argument) + [redaction.url(url.text)]
        if !redaction.revealsSecrets, shown.contains(where: { $0.contains(Redaction.mask) }) {
            warnings.append("secrets are shown as \(Redaction.mask); --show-secrets shows them")
        }
    }

    /// Returns the command without a line end.
    func text(_ style: CurlStyle) -> String {
        let options = words.map { word in
            let name = style == .short ? word.short ?? word.long : word.long
            return word.argument.map { "\(name) \(ShellWord.quoted($0))" } ?? name
        }
        let separator = style == .short ? " " : " \\\n  "
        let command = (["curl"] + options + [ShellWord.quoted(redaction.url(url.text))]).joined(
            separator: separator)
        return feed.map { "\($0) | \(command)" } ?? command
    }

    /// Adds an option.
    ///
    /// - Parameter name: The name of curl, or that of afcli, for which the table of options has the name of curl.
    mutating func add(_ name: String, _ argument: String? = nil) {
        let long = CurlNotation.names[name] ?? name
        let option = CurlOption.all.first { "--\($0.name)" == long }
        assert(option != nil, "curl has no \(long)")
        words.append(Word(short: option?.letter.map { "-\($0)" }, long: long, argument: argument))
    }

    mutating func warn(_ sentence: String) {
        if !warnings.contains(sentence) { warnings.append(sentence) }
    }

    mutating func feed(_ command: String) { feed = command }

    /// Whether a field of this name is sent.
    func hasHeader(_ name: String) -> Bool { request.headers.value(for: name) != nil }

    private var uploadedPath: String? {
        if case .file(let path, _, _) = body { path } else { nil }
    }

    private mutating func addMethod() {
        let usual: HTTPMethod =
            switch body {
            case .none: .get
            case .bytes, .multipart, .compressed: .post
            case .file, .standardInput: isUploaded ? .put : .post
            }
        let method = request.method
        if method == .head {
            add("--head")
        } else if method != usual {
            add("--request", method.rawValue)
        }
    }

    /// Whether the body is passed with `-T`, which reads it in chunks; of standard input only if its length is unknown.
    ///
    /// Not to a URL that ends in a slash, to which curl would append the file's name.
    var isUploaded: Bool {
        switch body {
        case .file(_, _, let range): range == nil && !url.path.hasSuffix("/")
        case .standardInput(let input): input.size == nil && !hasHeader("Content-Length")
        case .none, .bytes, .multipart, .compressed: false
        }
    }

    // Header fields and credentials

    private mutating func addHeaders() {
        var skipped = ["cookie"]
        if isLoginTyped { skipped.append("authorization") }
        if isUncompressed { skipped.append("content-encoding") }
        if case .multipart = body { skipped.append("content-type") }
        if request.body != .none { skipped.append("content-length") }
        addCookies()
        for header in request.headers where !skipped.contains(header.name.lowercased()) {
            let shown = HTTPHeader(name: header.name, value: redaction.value(of: header))
            add("--header", shown.curlDescription)
        }
        if session.decodesContent, request.headers.value(for: "Accept-Encoding").map({ $0 != "identity" }) == true {
            add("--compressed")
        }
        // Fields that curl would add.
        for name in ["User-Agent", "Accept"] where !hasHeader(name) { add("--header", "\(name):") }
        if request.removedHeaders.contains(where: { $0.lowercased() == "host" }) { add("--header", "Host:") }
        addExpectation()
    }

    /// Without an equals sign curl would read a file of that name.
    private mutating func addCookies() {
        let stored = plan.persistentState.cookiesOfRequest.map { "\($0.name)=\($0.value)" }
        let typed = request.headers.values(for: "Cookie")
        let cookies = (stored + typed).map(redaction.cookies).joined(separator: "; ")
        if cookies.isEmpty {
            if !typed.isEmpty { add("--header", "Cookie;") }
            return
        }
        if cookies.contains("=") { add("--cookie", cookies) } else { add("--header", "Cookie: \(cookies)") }
    }

    private mutating func addExpectation() {
        guard request.body != .none, !hasHeader("Expect") else { return }
        let length = (try? body.source()?.length()) ?? nil
        switch session.expectContinue {
        case .always: add("--header", "Expect: 100-continue")
        case .never: add("--header", "Expect:")
        // With -T curl sends Expect for any size, else from 1 MiB on.
        case .automatic: if isUploaded, length.map({ $0 <= 1 << 20 }) ?? true { add("--header", "Expect:") }
        }
    }
}
