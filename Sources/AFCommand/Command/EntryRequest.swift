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

    /// The maximum number of bytes of a decoded body.
    private static let bodyLimit = 256 << 20

    /// The value of `User-Agent` if no option and no field of a Hurl file sets it: some servers know Hurl's name.
    private static let userAgent = "hurl/8.1.0"

    private let values: HurlRequestValues
    private let options: EntryOptions
    private let arguments: FileRunArguments

    init(_ values: HurlRequestValues, _ options: EntryOptions, _ arguments: FileRunArguments) {
        (self.values, self.options, self.arguments) = (values, options, arguments)
    }

    /// Sends the request; blocks the calling thread until its end.
    ///
    /// - Throws: An error of an option or of a file that it names.
    func send(_ environment: Environment) throws -> Outcome {
        var environment = environment
        environment.files.expandsHome = false
        // Metrics contain the sent header, which may have secrets of its own, only if it is observed.
        environment.eventHandler = TransferEventHandler([.requestHead]) { _ in }
        environment.variables = environment.variables.without("HTTP_PROXY")
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
        request.response(queue: run.dispatchQueue) { response in
            result.withLock { $0 = response }
            isDone.signal()
        }
        request.resume()
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

    private func plan(_ body: (bytes: [UInt8], type: String?)?, _ environment: Environment) throws -> Plan {
        var input = InputReader(environment.files, .taken, mayReadStandardInput: false)
        let line = try CurlCommandLine(
            words(type: body?.type), CurlOption.all, offset: nil, environment: environment.variables,
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
        var invocation = try Invocation(transfer)
        invocation.output.level = .errors
        environment.files.waits.apply(invocation.network)
        return try Plan(invocation, environment)
    }

    /// Returns the request with the fields that describe the body, which the command of curl does not have.
    ///
    /// - Throws: ``UsageError`` if they describe another body.
    private func framed(_ request: RequestPlan, _ body: [UInt8]?) throws -> RequestPlan {
        var request = request
        for field in headers where field.name.framesBody {
            request.headers.append(HTTPHeader(name: field.name, value: field.value))
        }
        var complete = request
        complete.body = body.map { .bytes($0) } ?? .none
        try complete.checkFraming()
        return request
    }

    /// The fields of the request, without those that an option removes.
    private var headers: [HurlRequestValues.Field] {
        values.headers.filter { !options.removedHeaders.contains($0.name.lowercased()) }
    }

    /// Returns the words of the command of curl.
    private func words(type: String?) throws -> [String] {
        var words = ["--disable", "--globoff", "--silent", "--request", values.method]
        if values.method == "HEAD" { words.append("--head") }
        words += arguments.words + options.words
        var headers = headers.filter { !$0.name.framesBody }
        if let type { headers.append(HurlRequestValues.Field("Content-Type", type)) }
        let hasCoding = headers.contains { $0.name.lowercased() == "accept-encoding" }
        if options.isCompressed, !hasCoding {
            headers.append(HurlRequestValues.Field("Accept-Encoding", "br, gzip, deflate"))
        }
        if let credentials = values.credentials {
            let login = Data("\(credentials.name):\(credentials.value)".utf8).base64EncodedString()
            headers.append(HurlRequestValues.Field("Authorization", "Basic \(login)"))
        }
        for header in headers {
            // curl reads a file for such a name.
            guard !header.name.hasPrefix("@") else { throw UsageError("invalid header name '\(header.name)'") }
            words += Self.words(header)
        }
        if arguments.usesCookieStore { words += ["--cookie", ""] }
        return words + cookieWords + ["--url", values.url]
    }

    /// Returns the words for a header field. An empty type suppresses that of the body.
    private static func words(_ field: HurlRequestValues.Field) -> [String] {
        ["--header", field.name + (field.value.isEmpty ? field.isContentType ? ":" : ";" : ": \(field.value)")]
    }

    private var cookieWords: [String] {
        if values.cookies.isEmpty { return [] }
        return ["--cookie", values.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")]
    }

    /// The command of curl for reports.
    var command: String { "curl " + commandWords().map(\.quotedForShell).joined(separator: " ") }

    /// Returns the words of the command after `curl`.
    ///
    /// - Parameter bodyFile: The file that is the body; `nil` to show its bytes as text.
    func commandWords(bodyFile: String? = nil) -> [String] {
        // curl's method is GET, or POST with a body.
        let usualMethod = values.body == .none ? "GET" : "POST"
        var words =
            values.method == "HEAD"
            ? ["--head"] : values.method == usualMethod ? [] : ["--request", values.method]
        words += values.headers.flatMap(Self.words)
        if let credentials = values.credentials { words += ["--user", "\(credentials.name):\(credentials.value)"] }
        words += cookieWords
        switch values.body {
        case .none: break
        case .bytes(let bytes):
            // Without a type, curl's default is not sent either.
            let hasType = values.headers.contains(where: \.isContentType)
            if !hasType { words += ["--header", "Content-Type:" + (values.implicitType.map { " \($0)" } ?? "")] }
            words +=
                bodyFile.map { ["--data-binary", "@\($0)"] }
                ?? [
                    bytes.first == UInt8(ascii: "@") ? "--data-raw" : "--data", String(decoding: bytes, as: UTF8.self),
                ]
        case .multipart(let parts):
            for part in parts {
                switch part.content {
                case .text(let text): words += ["--form-string", "\(part.name)=\(text)"]
                case .file(_, let path, let type): words += ["--form", "\(part.name)=@\(path);type=\(type)"]
                }
            }
        }
        return words + arguments.words + options.words + (options.isCompressed ? ["--compressed"] : []) + [values.url]
    }

    /// Returns the body and its type, if the request has no header for it.
    private func body() throws -> (bytes: [UInt8], type: String?)? {
        switch values.body {
        case .none: return nil
        case .bytes(let bytes): return (bytes, values.implicitType)
        case .multipart(let parts):
            let form = MultipartFormData()
            for part in parts {
                switch part.content {
                case .text(let text): form.append(Data(text.utf8), withName: part.name)
                case .file(let bytes, let path, let type):
                    form.append(
                        Data(bytes), withName: part.name, fileName: path.lastComponent, mimeType: type)
                }
            }
            let hasType = values.headers.contains(where: \.isContentType)
            return (Array(try form.encode()), hasType ? nil : form.contentType)
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
            headers: response.headers, url: hops.last?.url ?? self.values.url, body: raw)
        decodeBody(of: &values)
        values.redirects = hops.dropFirst().map(\.url)
        values.address = hops.last?.remoteAddress ?? ""
        values.milliseconds = outcome.milliseconds
        values.certificate = Self.certificate(hops.last?.certificateDescriptions.first ?? [])
        outcome.response = values
        return outcome
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

    /// The fields by their names in libcurl's descriptions.
    private static let certificateFields: [String: HurlCertificateField] = [
        "subject": .subject, "issuer": .issuer, "serial number": .serialNumber, "start date": .startDate,
        "expire date": .expireDate, "x509v3 subject alternative name": .subjectAltName, "cert": .value,
    ]

    /// Returns the fields of libcurl's description of a certificate.
    private static func certificate(_ lines: [String]) -> [HurlCertificateField: HurlValue] {
        var fields: [HurlCertificateField: HurlValue] = [:]
        for line in lines {
            guard let (name, value) = line.halves(around: ":"), let field = certificateFields[name.lowercased()] else {
                continue
            }
            let text = String(value)
            switch field {
            case .subject, .issuer: fields[field] = .string(text.replacing(" = ", with: "="))
            case .startDate, .expireDate: fields[field] = date(text)
            case .serialNumber: fields[field] = .string(Self.serialNumber(text))
            case .subjectAltName, .value: fields[field] = .string(text)
            }
        }
        return fields
    }

    /// Returns the digits of a serial number in pairs: `1e:e8:b1`. libcurl's notation depends on its TLS library.
    private static func serialNumber(_ text: String) -> String {
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

extension String {
    /// The word in single quotes, unless it is the name of an option or a method.
    fileprivate var quotedForShell: String {
        let isName = utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
        let isMethod = !isEmpty && utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }
        let isPlain = hasPrefix("--") && isName || isMethod
        return isPlain ? self : "'\(replacing("'", with: "'\\''"))'"
    }
}
