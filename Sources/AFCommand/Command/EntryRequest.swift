internal import AFCore
internal import AFExpressions
internal import AFFormatting
internal import AFHTTP
internal import AFHurl
internal import AFTransport
internal import Dispatch
internal import FoundationEssentials
internal import Synchronization

/// A request of a file, which is sent as by the same command of curl.
struct EntryRequest {
    /// The response, or the failure of the transfer.
    struct Outcome: Sendable {
        var response: HurlResponseValues?
        /// The sentence of a failure, with curl's number.
        var failure: String?
        /// The number of requests, with those of redirects.
        var count = 0
        var milliseconds: Int64 = 0
        /// The requests, with those of redirects.
        var hops: [TransactionMetrics] = []
        /// The secrets of the request, which the response may repeat.
        var secrets = KnownSecrets()
    }

    /// A header field that cannot be sent.
    struct FieldError: Error {
        let name: String
        let reason: String
    }

    /// The maximum number of bytes of a decoded body.
    private static let bodyLimit = 256 << 20

    /// The value of `User-Agent` if no option and no field of a Hurl file sets it: some servers know Hurl's name.
    private static let userAgent = "hurl/8.1.0"

    private let values: HurlRequestValues
    private let options: EntryOptions
    private let arguments: FileRunArguments
    /// The root of the files of parts.
    private let files: FileRunEnvironment

    init(
        _ values: HurlRequestValues, _ options: EntryOptions, _ arguments: FileRunArguments, _ files: FileRunEnvironment
    ) {
        (self.values, self.options, self.arguments, self.files) = (values, options, arguments, files)
    }

    /// Sends the request; blocks the calling thread until its end.
    ///
    /// - Throws: An error of an option or of a file that it names.
    func send(_ environment: Environment) throws -> Outcome {
        var environment = environment
        environment.files.expandsHome = false
        // Metrics contain the sent header, which may have secrets of its own, only if it is observed.
        environment.eventHandler = TransferEventHandler([.requestHead]) { _ in }
        environment.variables = environment.variables.ofCurl
        let body = try body()
        var plan = try plan(body, environment)
        plan.request = try framed(plan.request, body?.bytes)
        let messages = Messages(environment, level: .errors)
        let run = Run(
            plan, environment, Recorder(RecordPlan(), environment, messages))
        let urlRequest = try plan.request.asURLRequest()
        let session = run.makeSession()
        // Not as the request's own body, which a GET must not have.
        let request =
            body.map { session.upload(.bytes($0.bytes), with: urlRequest) } ?? session.request(urlRequest)
        run.prepare(request)
        let result = Mutex<AFDataResponse<Data?>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        // Before the handler: a session tracks requests that have one and are not started, which takes 0.14 ms at first.
        request.resume()
        request.response(queue: run.dispatchQueue) { response in
            result.withLock { $0 = response }
            isDone.signal()
        }
        withExtendedLifetime((session, run)) { isDone.wait() }
        var outcome = outcome(result.withLock(\.self), of: request, run)
        outcome.secrets = secrets(of: request, plan)
        return outcome
    }

    private func secrets(of request: DataRequest, _ plan: Plan) -> KnownSecrets {
        var record = RunRecord()
        (record.request, record.login, record.attempts) = (plan.request, plan.login, request.allMetrics)
        var secrets = RequestSecrets(values)
        secrets.add(record)
        return secrets.known
    }

    // The command

    private func plan(_ body: Body?, _ environment: Environment) throws -> Plan {
        var input = InputReader(environment.files, .taken, mayReadStandardInput: false)
        let line = try CurlCommandLine(
            words(for: body), CurlOption.all, offset: nil, environment: environment.variables,
            files: environment.files, input)
        let group = line.groups[0]
        var transfer = try CurlTranslation(
            group, CurlGlob.Match(url: values.url, parts: []), index: 0, upload: nil, isOnly: true,
            encodesLikeCurl: false, files: environment.files, input: &input)
        transfer.behavior.cookies = []
        transfer.behavior.keptHeaders = []
        transfer.behavior.spellings = [:]
        transfer.behavior.userAgent = options.isOfEditor ? DefaultHeaders.ownUserAgent : Self.userAgent
        transfer.behavior.changesEveryMethod = !options.isOfEditor
        var invocation = try Invocation(transfer, environment.variables)
        invocation.output.level = .errors
        environment.files.waits.apply(invocation.network)
        return try Plan(invocation, environment)
    }

    /// Returns the request with the fields that describe the body, which the command of curl does not have.
    ///
    /// - Throws: ``FieldError`` if they describe another body.
    private func framed(_ request: RequestPlan, _ body: [UInt8]?) throws -> RequestPlan {
        var request = request
        let fields = headers.filter(\.name.framesBody)
        for field in fields { request.headers.append(HTTPHeader(name: field.name, value: field.value)) }
        var complete = request
        complete.body = body.map { .bytes($0) } ?? .none
        do {
            try complete.checkFraming()
        } catch let error as UsageError {
            throw fields.first.map { FieldError(name: $0.name, reason: error.problem) } ?? error
        }
        return request
    }

    /// The fields of the request, without those that an option removes.
    private var headers: [HurlRequestValues.Field] {
        values.headers.filter { !options.removedHeaders.contains($0.name.lowercased()) }
    }

    /// Whether the file or an option sets or removes a header field, so that it is not added.
    ///
    /// - Parameter name: The name in lower case.
    private func decides(_ name: String) -> Bool {
        options.removedHeaders.contains(name) || values.headers.contains { $0.name.lowercased() == name }
            || options.headerLines.contains { $0.isField(name) }
    }

    /// The credentials of basic authentication, unless an option removes their field.
    private var credentials: HurlRequestValues.Field? {
        options.removedHeaders.contains("authorization") ? nil : values.credentials
    }

    /// Returns the words of the command of curl.
    private func words(for body: Body?) throws -> [String] {
        var words = ["--disable", "--globoff", "--silent", "--request", values.method]
        if values.method == "HEAD" { words.append("--head") }
        words += arguments.words + options.words
        var headers = headers.filter { !$0.name.framesBody }
        if let type = body?.type, !decides("content-type") {
            headers.append(HurlRequestValues.Field("Content-Type", type))
        }
        if options.isCompressed, !decides("accept-encoding") {
            headers.append(HurlRequestValues.Field("Accept-Encoding", "br, gzip, deflate"))
        }
        if let credentials {
            let login = HTTPHeader.authorization(username: credentials.name, password: credentials.value)
            headers.append(HurlRequestValues.Field(login.name, login.value))
        }
        for header in headers where !header.name.isEmpty { words += try Self.checkedWords(header) }
        if arguments.usesCookieStore { words += ["--cookie", ""] }
        if let boundary = body?.missingBoundary {
            for index in words.indices.dropFirst()
            where words[index - 1] == "--header"
                && words[index].typedMediaType.map({ $0.parameter("boundary") == nil }) == true
            {
                words[index] += "; boundary=\(boundary)"
            }
        }
        return words + cookieWords() + ["--url", values.url]
    }

    /// Returns the words for a header field. An empty type suppresses that of the body.
    private static func words(_ field: HurlRequestValues.Field) -> [String] {
        ["--header", field.name + (field.value.isEmpty ? field.isContentType ? ":" : ";" : ": \(field.value)")]
    }

    /// Returns the words for a header field.
    ///
    /// - Throws: ``FieldError`` for a name that is not a token, or control characters in the value.
    private static func checkedWords(_ field: HurlRequestValues.Field) throws -> [String] {
        let words = words(field)
        do throws(UsageError) {
            _ = try HeaderEdit(argument: words[1])
            return words
        } catch {
            throw FieldError(name: field.name, reason: error.problem)
        }
    }

    /// Returns the words for the cookies of the entry and for those of the store in the request that was sent.
    private func cookieWords(_ sent: TransactionMetrics? = nil) -> [String] {
        let typed = values.cookies.map { "\($0.name)=\($0.value)" }
        let field =
            decides("cookie")
            ? nil : sent.flatMap { RequestHeadRecord($0.requestHead) }?.headers.value(for: "Cookie")
        let stored = (field ?? "").split(separator: "; ").dropLast(typed.count).map(String.init)
        let cookies = typed + stored
        return cookies.isEmpty ? [] : ["--cookie", cookies.joined(separator: "; ")]
    }

    /// Returns the command of curl for reports.
    ///
    /// - Parameters:
    ///   - variables: Their secrets are masked: a quoted text does not contain one with a quote.
    ///   - bodyFile: The file that is the body; `nil` if it is in the command.
    ///   - sent: The request that was sent, which may have cookies of the store.
    func command(hiding variables: HurlVariables, bodyFile: String?, sent: TransactionMetrics?) -> String {
        let body = binaryBody
        let words = commandWords(bodyFile: body == nil ? nil : bodyFile, sent: sent)
        let command = "curl " + words.map { variables.redacted($0).quotedForShell }.joined(separator: " ")
        guard let body, bodyFile == nil else { return command }
        return "\(ShellWord.printing(variables.redacted(body))) | \(command)"
    }

    /// The body if it cannot be a word of a command; `nil` for other ones.
    var binaryBody: [UInt8]? {
        guard case .bytes(let bytes) = values.body else { return nil }
        return bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil ? bytes : nil
    }

    /// Returns the words of the command after `curl`.
    ///
    /// - Parameters:
    ///   - bodyFile: The file that is the body; `nil` to show it as text, or to read it from standard input if it
    ///     is no text.
    ///   - sent: The request that was sent; `nil` for one that is not.
    func commandWords(bodyFile: String? = nil, sent: TransactionMetrics? = nil) -> [String] {
        // curl's method is GET, or POST with a body.
        let usualMethod = [.none, .multipart([])].contains(values.body) ? "GET" : "POST"
        var words =
            values.method == "HEAD"
            ? ["--head"] : values.method == usualMethod ? [] : ["--request", values.method]
        words += headers.flatMap(Self.words)
        if let credentials { words += ["--user", "\(credentials.name):\(credentials.value)"] }
        words += cookieWords(sent)
        switch values.body {
        case .none: break
        case .bytes(let bytes):
            // Without a type, curl's default is not sent either.
            if !decides("content-type") {
                words += ["--header", "Content-Type:" + (values.implicitType.map { " \($0)" } ?? "")]
            }
            if let path = bodyFile ?? (binaryBody == nil ? nil : "-") {
                words += ["--data-binary", "@\(path)"]
            } else {
                let option = bytes.first == UInt8(ascii: "@") ? "--data-raw" : "--data"
                words += [option, String(decoding: bytes, as: UTF8.self)]
            }
        case .multipart(let parts):
            for part in parts {
                switch part.content {
                case .text(let text): words += ["--form-string", "\(part.name)=\(text)"]
                case .file(_, let path, let type):
                    let file = CurlCommand.quoted(files.path(of: path) ?? path)
                    words += ["--form", "\(part.name)=@\(file);type=\(type)"]
                }
            }
        }
        let url = sentURL
        if url.contains(where: "[]{}".contains) { words.append("--globoff") }
        return words + arguments.words + options.words + (options.isCompressed ? ["--compressed"] : []) + [url]
    }

    /// The URL with the encoded path and query, which curl sends as they are.
    private var sentURL: String {
        let text = values.url
        let reading = Address.Options(keepsPath: options.words.contains("--path-as-is"))
        guard let end = text.dropFirst("https://".count).firstIndex(ofAny: "/?#"),
            let target = (try? Address(text, reading))?.url.target
        else { return text }
        return text[..<end] + target
    }

    /// A body to send.
    private struct Body {
        let bytes: [UInt8]
        /// The type if neither the file nor an option sets it; `nil` for none.
        let type: String?
        /// The boundary that the typed types do not have.
        var missingBoundary: String?
    }

    /// Returns the body.
    private func body() throws -> Body? {
        switch values.body {
        case .none: return nil
        case .bytes(let bytes): return Body(bytes: bytes, type: values.implicitType)
        case .multipart(let parts):
            let lines = options.headerLines + headers.map { "\($0.name): \($0.value)" }
            let boundary = lines.lazy.compactMap(\.typedMediaType).compactMap { $0.parameter("boundary") }.first
            guard boundary.map(MultipartFormData.isValid) != false else {
                throw FieldError(name: "Content-Type", reason: "the boundary of the multipart body is not valid")
            }
            let form = MultipartFormData(boundary: boundary)
            for part in parts {
                switch part.content {
                case .text(let text): form.append(Data(text.utf8), withName: part.name)
                case .file(let bytes, let path, let type):
                    form.append(
                        Data(bytes), withName: part.name, fileName: path.lastComponent, mimeType: type)
                }
            }
            return Body(
                bytes: Array(try form.encode()), type: form.contentType,
                missingBoundary: boundary == nil ? form.boundary : nil)
        }
    }

    // The response

    private func outcome(_ result: AFDataResponse<Data?>?, of request: DataRequest, _ run: Run) -> Outcome {
        var outcome = Outcome()
        let hops = request.allMetrics.flatMap(\.transactionMetrics)
        outcome.count = max(hops.count, 1)
        outcome.hops = hops
        outcome.milliseconds = Int64(request.allMetrics.reduce(0) { $0 + $1.duration } * 1000)
        if let error = result?.error {
            outcome.failure = EntryFailure(error, request, run, milliseconds: outcome.milliseconds).message
        }
        guard outcome.failure == nil, let response = result?.response else {
            outcome.failure = outcome.failure ?? "(52) the server sent no response"
            return outcome
        }
        let raw = result?.data.map { Array($0) } ?? []
        var values = HurlResponseValues(
            version: Self.number(ofVersion: response.httpVersion), status: response.statusCode,
            headers: response.headers, url: urls(of: hops).last ?? self.values.url, body: raw)
        decodeBody(of: &values)
        values.redirects = Array(urls(of: hops).dropFirst())
        values.address = hops.last?.remoteAddress ?? ""
        values.milliseconds = outcome.milliseconds
        values.certificate = HurlCertificateField.values(inDescription: hops.last?.certificateDescriptions.first ?? [])
        outcome.response = values
        return outcome
    }

    /// Returns the URLs of requests with their fragments, which are not sent, as curl's `url_effective` has them.
    private func urls(of hops: [TransactionMetrics]) -> [String] {
        let fragment = { (text: String) in text.firstIndex(ofAny: "#").map { String(text[$0...]) } ?? "" }
        var next = fragment(values.url)
        return hops.map { hop in
            defer {
                if let response = hop.response, 300..<400 ~= response.statusCode {
                    next = response.headers["Location"].map(fragment) ?? next
                }
            }
            return hop.url + next
        }
    }

    private func decodeBody(of values: inout HurlResponseValues) {
        let codings = values.headers.contentCodings
        guard !values.rawBody.isEmpty, let last = codings.last else { return }
        if let unknown = DecodableCoding.unknown(of: codings) {
            values.bodyFailure = .unknownCoding(unknown)
        } else if let decoded = try? CompleteBodyDecoding.decode(
            values.rawBody, values.headers, limit: Self.bodyLimit)
        {
            values.body = decoded
        } else {
            values.bodyFailure = .damagedCoding(last)
        }
    }

    private static func number(ofVersion version: String) -> String {
        let number = version.split(separator: "/").last.map(String.init) ?? version
        return number == "2.0" ? "2" : number == "3.0" ? "3" : number
    }
}

extension String {
    /// The value of a line of the field Content-Type; `nil` for other lines, and if it removes the field.
    fileprivate var typedMediaType: MediaType? {
        guard isField("content-type"), let value = halves(around: ":")?.after.trimmed, !value.isEmpty else {
            return nil
        }
        return MediaType(parsing: String(value))
    }

    /// The word in single quotes, unless it is the name of an option or a method.
    fileprivate var quotedForShell: String {
        let isName = utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        let isMethod = !isEmpty && utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        let isPlain = hasPrefix("--") && isName || isMethod
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
