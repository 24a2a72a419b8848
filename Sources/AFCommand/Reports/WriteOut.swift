internal import AFCore
internal import AFHTTP
internal import AFJSON
internal import FoundationEssentials
internal import Glibc

/// The values of `--write-out`, in curl's format; phases that were not reached are 0, `000` or empty.
struct WriteOut: Sendable {
    let run: RunRecord
    private let place: TransferPlace
    /// The user info of the typed URL; `nil` for none, or if the URL is not known.
    private let typedCredential: URLCredential?
    private let exitCode: Int32
    private let hop: TransactionMetrics?
    /// The last hop with a response, or with the start of one: after a redirect to a server that is not reached, that of
    /// the redirect.
    private let answered: TransactionMetrics?
    private let attempt: [TransactionMetrics]
    /// The number of the last connection.
    private let connection: Int

    /// Creates the values.
    ///
    /// - Parameters:
    ///   - place: The place of the transfer in a command.
    ///   - exitCode: The exit status; `nil` for that of the run.
    init(_ run: RunRecord, at place: TransferPlace = TransferPlace(), exitCode: Int32? = nil) {
        self.run = run
        self.place = place
        typedCredential = place.typedURL.flatMap { try? Address($0) }?.credential
        self.exitCode = exitCode ?? run.status.code
        attempt = run.attempts.last?.transactionMetrics ?? []
        hop = attempt.last
        answered = attempt.last { $0.latestResponse != nil }
        let numbers = place.connections ?? ConnectionNumbers()
        let endpoints = run.attempts.flatMap(\.transactionMetrics).compactMap { hop in
            hop.localPort.map { "\(hop.localAddress ?? ""):\($0)-\(hop.remoteAddress ?? "")" }
        }
        connection = endpoints.map(numbers.number).last ?? 0
    }

    /// Returns the output of a template with its destinations.
    ///
    /// Consecutive text for one destination is one element, written at once: parallel transfers share the output.
    func render(_ template: WriteOutTemplate) -> [(destination: WriteOutTemplate.Destination, text: String)] {
        var result: [(destination: WriteOutTemplate.Destination, text: String)] = []
        var destination = WriteOutTemplate.Destination.output
        func add(_ text: String) {
            guard result.last?.destination == destination else { return result.append((destination, text)) }
            result[result.count - 1].text += text
        }
        for part in template.parts {
            switch part {
            case .text(let text): add(text)
            case .variable(let variable): add(text(of: variable))
            case .header(let name, let separator):
                let values = response?.headers.values(for: name) ?? []
                add(separator.map(values.joined) ?? values.first ?? "")
            case .time(let format): add(Self.time(format))
            case .component(let component, let ofEffective): add(text(of: component, ofEffective: ofEffective))
            case .destination(let new):
                destination = new
                // As in curl, a file is created even if no text follows.
                if case .file = new { add("") }
            case .onFailure: if exitCode == 0 { return result }
            }
        }
        return result
    }

    func text(of variable: WriteOutVariable) -> String {
        switch variable {
        case .json: return everything.compactText.legible
        case .headerJSON: return headers.legible
        case .httpCode, .responseCode, .tunnelCode:
            let code = "\(variable == .tunnelCode ? tunnelCode : statusCode)"
            return String(repeating: "0", count: max(0, 3 - code.count)) + code
        default: break
        }
        let value = value(of: variable)
        switch value {
        case .null: return ""
        default: return value.string ?? value.text
        }
    }

    /// Returns the current time in UTC; `%f` is the fraction of the second in microseconds.
    private static func time(_ format: String) -> String {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let digits = String(now.tv_nsec / 1000 + 1_000_000).dropFirst()
        let format = format.replacing("%f", with: digits).replacing("%z", with: "+0000").replacing("%Z", with: "UTC")
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = strftime(&buffer, buffer.count, format, &parts)
        return String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private func text(of component: WriteOutTemplate.URLComponent, ofEffective: Bool) -> String {
        value(of: component, ofEffective: ofEffective) ?? ""
    }

    private func value(of component: WriteOutTemplate.URLComponent, ofEffective: Bool) -> String? {
        let effective = hop.flatMap { try? HTTPURL(parsing: $0.url) }
        guard let url = (ofEffective ? effective : nil) ?? run.request?.url else { return nil }
        let typed = ofEffective ? nil : typedCredential
        let query = url.target.firstIndex(of: "?").map { String(url.target[$0...].dropFirst()) }
        return switch component {
        case .scheme: url.scheme.rawValue
        case .host: url.host
        case .port: "\(url.port)"
        case .path: String(url.target.prefix { $0 != "?" })
        case .query: query?.isEmpty == true ? nil : query
        case .user: ofEffective ? nil : run.request?.user ?? typed?.user
        case .password: typed?.password
        case .fragment: ofEffective ? nil : place.typedURL?.halves(around: "#").map { String($0.after) }
        case .options, .zone: nil
        }
    }

    /// The proxy's last status for CONNECT; 0 if there was none.
    private var tunnelCode: Int { attempt.lazy.compactMap(\.tunnelResponse).last?.statusCode ?? 0 }

    /// All variables as an object; those without a value are null.
    private var everything: JSONText {
        let names = WriteOutVariable.allCases.filter { $0 != .json && $0 != .headerJSON }
        let members = names.map { variable in
            JSONText.Member(variable.rawValue, value(of: variable))
        }
        let parts = ["url", "urle"].flatMap { url in
            WriteOutTemplate.URLComponent.allCases.map { part in
                JSONText.Member("\(url).\(part.rawValue)", .text(value(of: part, ofEffective: url == "urle")))
            }
        }
        let libraries = CurlFeatures.libraries.map { "\($0.name)/\($0.version)" }.joined(separator: " ")
        return .object(
            members + parts + [
                JSONText.Member("curl_version", .string(libraries)),
                JSONText.Member("afcli_version", .string(AFInfo.version)),
            ])
    }

    /// The fields of the final response by lowercase name, each with all values: an object with a member per line, as in
    /// curl.
    private var headers: String {
        var (lines, known) = ([String](), Set<String>())
        for header in response?.headers ?? HTTPHeaders() {
            let name = header.name.lowercased()
            guard known.insert(name).inserted else { continue }
            let values = response?.headers.values(for: name) ?? []
            let list = JSONText.array(values.map { .string($0) })
            lines.append("\(JSONText.quoted(name)):\(list.compactText)")
        }
        return "{\(lines.joined(separator: ",\n"))\n}"
    }

    private func value(of variable: WriteOutVariable) -> JSONText {
        switch variable {
        case .contentType: .text(response?.headers.values(for: "Content-Type").last)
        case .errorMessage: .text(exitCode == 0 ? nil : run.failure?.message)
        case .exitCode: .count(exitCode)
        case .tunnelCode: .count(tunnelCode)
        case .isProxyUsed: .count(hop?.usesProxy == true ? 1 : 0)
        case .urlNumber: .count(place.url)
        case .transferNumber: .count(place.transfer)
        case .filename: .text(run.savedPath ?? run.device ?? place.path)
        case .headerJSON, .json, .ftpPath: .null
        case .connectionNumber: .count(connection)
        case .certificateCount: .count(hop?.certificateDescriptions.count ?? 0)
        case .certificates: .string(certificates)
        case .earlyDataSize, .proxyVerifyResult: .count(0)
        case .httpCode, .responseCode: .count(statusCode)
        case .httpVersion: .string(httpVersion)
        case .localAddress: .text(hop?.localAddress)
        case .localPort: .count(hop?.localPort ?? 0)
        case .method: .text(hop?.method.rawValue)
        case .connectCount: .count(attempt.map { $0.remoteAddress == nil ? 0 : $0.connectionCount }.reduce(0, +))
        case .headerCount: .count(headerCount)
        case .redirectCount: .count(redirectCount)
        case .retryCount: .count(run.retries.count)
        case .redirectURL: .text(redirectURL)
        case .referer: .text(referer)
        case .remoteAddress: .text(hop?.remoteAddress)
        case .remotePort: .count(hop?.remotePort ?? 0)
        case .scheme: .text(hop.map { String($0.url.prefix { $0 != ":" }) })
        case .url: .text(typedURL ?? run.request?.url.text)
        case .effectiveURL: .text(effectiveURL)
        case .deliveredSize, .downloadSize, .headSize, .requestSize, .uploadSize, .downloadSpeed, .uploadSpeed,
            .verifyResult:
            .count(amount(of: variable))
        case .secureConnectTime, .connectTime, .lookupTime, .queueTime, .requestTime, .sentTime, .redirectTime,
            .firstByteTime, .totalTime:
            .decimal(time(of: variable), places: 6)
        }
    }

    /// The number of redirects. As in curl, that of a curl command counts the requests of authentication, too.
    private var redirectCount: Int {
        let rounds = attempt.flatMap(\.earlierHeads).count { $0.kind == .intermediate }
        return max(0, attempt.count - 1) + (isUnsupportedRedirect ? 1 : 0) + (place.typedURL == nil ? 0 : rounds)
    }

    /// The last URL; that of a curl command has its fragment.
    private var effectiveURL: String? {
        guard let url = hop?.url ?? run.request?.url.text else { return typedURL }
        guard place.typedURL != nil else { return url }
        let reference =
            attempt.count > 1
            ? attempt[attempt.count - 2].response?.value(forHTTPHeaderField: "Location") : place.typedURL
        return reference?.halves(around: "#").map { $0.after.isEmpty ? url : "\(url)#\($0.after)" } ?? url
    }

    /// The URL before the last redirect if it is sent, or the typed field.
    private var referer: String? {
        guard place.sendsReferer, attempt.count > 1 else { return run.request?.headers.value(for: "Referer") }
        return attempt[attempt.count - 2].url
    }

    /// The URL as typed; `nil` if it has a user name or a password.
    private var typedURL: String? { typedCredential == nil ? place.typedURL : nil }

    /// As in curl, a body without a header has no status.
    private var statusCode: Int {
        response?.httpVersion == "HTTP/0.9" ? 0 : answered?.statusCode ?? response?.statusCode ?? 0
    }

    private var response: HTTPURLResponse? { answered?.latestResponse }

    /// The fields of the last header; as in curl, trailers are one of their own.
    private var headerCount: Int {
        let trailers = answered?.trailers.count ?? 0
        return trailers > 0 ? trailers : (response ?? hop?.tunnelResponse)?.headers.count ?? 0
    }

    /// The version in curl's notation: `1.1`, or `1` for 1.0, or `0` for none.
    private var httpVersion: String {
        switch response?.httpVersion {
        case "HTTP/0.9", nil: "0"
        case "HTTP/1.0": "1"
        case let name?: String(name.drop { $0 != "/" }.dropFirst())
        }
    }

    /// As in curl, a certificate itself has no name.
    private var certificates: String {
        let lines = (hop?.certificateDescriptions ?? []).joined().map { String($0.trimmingPrefix("Cert:")) }
        return lines.map { $0.hasSuffix("\n") ? $0 : $0 + "\n" }.joined()
    }

    private func amount(of variable: WriteOutVariable) -> Int64 {
        switch variable {
        case .deliveredSize: deliveredSize
        case .downloadSize: downloadSize
        case .headSize: attempt.reduce(0) { $0 + $1.responseHeadBytes }
        case .requestSize: attempt.reduce(0) { $0 + $1.requestHeadBytes }
        case .uploadSize: hop?.requestBodyBytes ?? 0
        case .downloadSpeed: downloadSpeed
        case .uploadSpeed: hop?.sendRate ?? 0
        case .verifyResult: Int64(hop?.certificateVerification ?? 0)
        default: 0
        }
    }

    /// The size as received, including segments.
    private var downloadSize: Int64 { size(\.responseBodyBytes) }

    /// The size after decoding, including segments, and as in curl the headers that are shown with the body.
    private var deliveredSize: Int64 {
        size(\.decodedBodyBytes) + (place.printsHeaders ? amount(of: .headSize) : 0)
    }

    /// Returns a size of all bodies, of which curl does not receive that of an error with `--fail`.
    private func size(_ count: KeyPath<TransactionMetrics, Int64>) -> Int64 {
        if place.hidesErrorBodies, statusCode >= 400 { return 0 }
        return ([hop] + run.segments.map(\.transactionMetrics.last)).reduce(0) { $0 + ($1?[keyPath: count] ?? 0) }
    }

    private var downloadSpeed: Int64 {
        guard !run.segments.isEmpty, let time = run.times?.attempt, time > 0 else {
            return downloadSize == 0 ? 0 : hop?.receiveRate ?? 0
        }
        return Int64(Double(downloadSize) / time)
    }

    /// Returns a time since the start of the attempt, including redirects.
    private func time(of variable: WriteOutVariable) -> Double {
        guard let hop, let times = run.times else { return 0 }
        // libcurl 8.14 has no time of the lookup for a reused connection.
        func time(_ point: Double) -> Double { point > 0 || hop.isReusedConnection ? times.redirects + point : 0 }
        return switch variable {
        case .lookupTime: time(hop.nameLookupEnd)
        case .connectTime: time(hop.connectEnd)
        case .secureConnectTime: hop.tlsVersion == nil ? 0 : time(hop.secureConnectEnd)
        case .requestTime: time(hop.requestStart)
        // libcurl 7.88 does not report the end of a body that is sent.
        case .sentTime: hop.requestBodyBytes == 0 ? time(hop.requestStart) : times.firstByte
        case .redirectTime: times.redirects
        case .firstByteTime: times.firstByte
        case .totalTime: times.attempt
        default: 0
        }
    }

    /// Whether a curl command ended at a redirect to another scheme, or to an invalid URL.
    private var isUnsupportedRedirect: Bool {
        guard place.typedURL != nil, let status = hop?.statusCode, (300..<400).contains(status) else { return false }
        return exitCode == 1 || exitCode == 3
    }

    /// The target of a redirect that was not followed.
    private var redirectURL: String? {
        guard let hop, let status = hop.statusCode, (300..<400).contains(status),
            let location = hop.response?.value(forHTTPHeaderField: "Location"), !location.isEmpty,
            let url = try? HTTPURL(parsing: hop.url)
        else { return nil }
        guard place.typedURL != nil else {
            guard let target = try? url.resolving(location) else { return location }
            return target.text + (location.firstIndex(of: "#").map { location[$0...] } ?? "")
        }
        // As in curl, a target that cannot be requested counts as followed.
        guard !isUnsupportedRedirect else { return nil }
        let curlLocation = location.asCurlLocation
        guard let target = try? url.resolvingCurlLocation(curlLocation) else { return location }
        return target.text + (curlLocation.halves(around: "#").map { "#\($0.after.replacing(" ", with: "%20"))" } ?? "")
    }
}

extension TransactionMetrics {
    /// The last response of a proxy to CONNECT; `nil` if there is none.
    var tunnelResponse: HTTPURLResponse? { earlierHeads.last { $0.kind == .tunnel }?.response }

    /// The response, or what was received of one.
    fileprivate var latestResponse: HTTPURLResponse? {
        response ?? incompleteHead ?? earlierHeads.last { $0.kind == .informational }?.response
    }
}
