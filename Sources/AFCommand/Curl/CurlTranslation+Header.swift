internal import AFCore
internal import AFHTTP
internal import AFTransport
internal import FoundationEssentials
internal import Glibc

/// The header fields, the cookies and the authentication.
extension CurlTranslation {
    mutating func addHeaders(_ curl: CurlArguments, _ input: inout InputReader) throws {
        for header in curl.headers {
            guard header.hasPrefix("@") else {
                headers.append(header)
                continue
            }
            let bytes = try naming("--header") { try input.bytes(String(header.dropFirst()), .header) }
            headers += bytes.withoutByteOrderMark.split(separator: 0x0A).map {
                String(octets: $0.last == 0x0D ? $0.dropLast() : $0)
            }
            .filter { !$0.isEmpty }
        }
        if !mentions("accept"), !settings.contains(where: { $0.value == "Accept: application/json" }) {
            assign("-H", "Accept: */*")
        }
        if !mentions("accept-encoding") {
            assign("-H", "Accept-Encoding:\(curl.isCompressed ? " \(Self.codings)" : "")")
        }
        let keepsCoding = curl.passedThrough.contains { $0.name == "--keep-transfer-coding" }
        behavior.rejectsUnknownCodings = curl.isCompressed && !keepsCoding
        if !behavior.rejectsUnknownCodings { assign("--no-decode") }
        if !mentions("connection") { assign("-H", "Connection:") }
        if !mentions("content-length"), curl.isGet || curl.data.isEmpty, curl.parts.isEmpty, !isUpload {
            assign("-H", "Content-Length:")
        }
        if !mentions("content-type"), isUpload { assign("-H", "Content-Type:") }
        behavior.sendsReferer = curl.referer?.hasSuffix(";auto") == true && !mentions("referer")
        if let agent = curl.userAgent, !mentions("user-agent") {
            assign("-H", "User-Agent: \(agent)", typedAs: "--user-agent")
        }
        if let referer = curl.referer.map({ $0.hasSuffix(";auto") ? String($0.dropLast(5)) : $0 }), !referer.isEmpty,
            !mentions("referer")
        {
            assign("-H", "Referer: \(referer)", typedAs: "--referer")
        }
        if let date = curl.timeCondition {
            if let field = condition(for: date) {
                let name = field.prefix { $0 != ":" }
                if !mentions(name.lowercased()) { assign("-H", field, typedAs: "--time-cond") }
            } else {
                warnings.append("'\(date)' of --time-cond is neither a date nor a file, and has no effect")
            }
        }
        if let file = curl.etagFile {
            assign("-H", "If-None-Match: \(try tag(in: file, curl))", typedAs: "--etag-compare")
        }
        behavior.keptHeaders = Set(
            headers.compactMap { $0.halves(around: ":")?.before.lowercased() }
                .filter { $0.hasPrefix("content-") && $0 != "content-length" })
        if curl.data.contains(where: { $0.kind == .json }) { behavior.keptHeaders.insert("content-type") }
        addTypedHeaders()
    }

    private mutating func addTypedHeaders() {
        // `Name:` removes the field that curl adds, and no typed one.
        for header in headers.filter(\.isRemoval) + headers.filter({ !$0.isRemoval }) {
            // curl ignores a line without a separator, or without a name.
            guard let end = header.firstIndex(ofAny: ":") ?? (header.hasSuffix(";") ? header.lastIndex(of: ";") : nil),
                end > header.startIndex
            else { continue }
            if let boundary = missingBoundary, header.isField("content-type"), !header.isRemoval {
                // As in curl, also after an empty type.
                let line = header.hasSuffix(";") && !header.contains(":") ? "\(header.dropLast()): " : header
                assign("-H", "\(line); boundary=\(boundary)", typedAs: "--header")
                continue
            }
            let isChunked = header.lowercased().filter { $0 != " " } == "transfer-encoding:chunked"
            if isChunked { assign("--chunked") } else { assign("-H", header, typedAs: "--header") }
            if let (name, value) = header.halves(around: ":"), !header.isRemoval {
                let line = HTTPHeader(name: String(name), value: String(value.trimmed)).curlDescription
                if line != header { behavior.spellings[line] = header }
            }
        }
        if headers.contains(where: { $0.lowercased().filter { $0 != " " } == "expect:" }) {
            assign("--expect100", "no")
        }
    }

    /// Returns the entity tag in a file of `--etag-compare`. A file that cannot be read has none, as in curl 8: with
    /// `--etag-save`, it is written after the first transfer.
    private mutating func tag(in file: String, _ curl: CurlArguments) throws -> String {
        do {
            let text = try naming("--etag-compare") { try fileText(file, .header) }
            if text.isEmpty { return "\"\"" }
            return String(text.trimmingPrefix(while: \.isWhitespace).prefix { !$0.isNewline })
        } catch let error as FileProblem {
            if curl.savedTagFile == nil { warnings.append("\(error.message); no tag is compared") }
            return "\"\""
        }
    }

    func mentions(_ name: String) -> Bool {
        headers.contains { $0.isField(name) }
    }

    /// The codings that curl offers, as far as they can be decoded here.
    private static let codings = ["deflate", "gzip", "br", "zstd"].filter { name in
        DecodableCoding.allCases.contains { $0.rawValue == name }
    }
    .joined(separator: ", ")

    /// Returns the header field of `--time-cond`; `nil` for an unknown date, which curl ignores.
    private func condition(for text: String) -> String? {
        let signs: [(sign: String, name: String)] = [
            ("-", "If-Unmodified-Since"), ("=", "Last-Modified"), ("+", "If-Modified-Since"),
        ]
        let signed = signs.first { text.hasPrefix($0.sign) }
        let date = signed == nil ? text : String(text.dropFirst())
        guard let seconds = CurlDate(date)?.seconds ?? modificationTime(of: date) else { return nil }
        return "\(signed?.name ?? "If-Modified-Since"): \(HTTPDate(Date(timeIntervalSince1970: Double(seconds))))"
    }

    private func modificationTime(of path: String) -> Int? {
        files.willUse(path)
        return FileStatus(path)?.fields.st_mtim.tv_sec
    }

    private func fileText(_ path: String, _ limit: ReadLimit) throws -> String {
        String(octets: try files.read(files.expanding(path), limit).withoutByteOrderMark)
    }

    mutating func addCookies(_ curl: CurlArguments, _ input: inout InputReader) throws {
        let typed = curl.cookies.filter { !$0.namesCookieFile }
        // As in curl, a typed field replaces the typed cookies, and not those of a file.
        if !typed.isEmpty, !mentions("cookie") {
            assign("-H", "Cookie: \(typed.joined(separator: ";"))", typedAs: "--cookie")
        }
        behavior.handlesCookies = typed.count < curl.cookies.count || curl.cookieJar != nil
        behavior.cookies = try cookies(of: curl.cookieFiles, withoutSession: curl.omitsSessionCookies, &input)
    }

    /// Returns the cookies of files. As in curl, a missing file has none.
    private func cookies(
        of paths: [String],
        withoutSession: Bool,
        _ input: inout InputReader
    ) throws -> [HTTPCookie] {
        let url = address?.url
        let typedHost = headers.lazy.compactMap { $0.halves(around: ":") }.first { $0.before.lowercased() == "host" }
        let host = url?.cookieHost(withField: typedHost.map { String($0.after.drop(while: \.isWhitespace)) }) ?? ""
        var all: [HTTPCookie] = []
        for path in paths {
            do {
                let content = try naming("--cookie") { try input.bytes(path, .session) }
                let cookies = CurlCookieFile.cookies(content, for: url, host: host)
                all += cookies.filter { !withoutSession || $0.expiresDate != nil }
            } catch let error as FileProblem where error.reason == .isMissing || error.reason == .isDirectory {}
        }
        return all
    }

    mutating func addLogin(_ curl: CurlArguments, _ url: inout String) throws(UsageError) {
        let login = curl.login
        let readsNetrc = (curl.readsNetrc || curl.setting("--netrc-file") != nil) && !lacksNetrc(curl)
        if login == nil, curl.aws == nil, mentions("authorization") {
            removeUserInfo(&url)
            return assign("--ignore-netrc")
        }
        if !readsNetrc { assign("--ignore-netrc") }
        behavior.credentials.prefersNetrc = readsNetrc && !curl.mayLackNetrc
        behavior.credentials.mayLackCredential = curl.readsNetrc || curl.setting("--netrc-file") != nil
        // The scheme of another credential excludes the token.
        if let bearer = curl.bearer, login.map({ $0.kind == .any }) ?? !curl.offersBasic {
            assign("--auth-type", "bearer", typedAs: "--oauth2-bearer")
            assign("--auth", CredentialSource.argument(literal: bearer), typedAs: "--oauth2-bearer")
        } else if let aws = curl.aws, !aws.isEmpty || curl.user != nil {
            let scope = aws.split(separator: ":", omittingEmptySubsequences: false).dropFirst(2)
            guard aws.lowercased().hasPrefix("aws:amz") else {
                let error = UsageError("expected aws:amz, got '\(aws)'", argument: "--aws-sigv4")
                throw aws.isEmpty ? error.numbered(43) : error
            }
            // Without a key, afcli would sign with that of the environment.
            guard let user = curl.user, let (id, secret) = user.halves(around: ":"), !id.isEmpty, !secret.isEmpty,
                secret.firstIndex(ofAny: ":") == nil
            else { throw UsageError("requires --user KEY_ID:SECRET", argument: "--aws-sigv4") }
            let text = ([user] + scope.map(String.init)).joined(separator: ":")
            assign("--auth-type", "aws-sigv4", typedAs: "--aws-sigv4")
            assign("--auth", CredentialSource.argument(literal: text), typedAs: "--user")
        } else if let user = curl.user, user.hasOtherBytes {
            guard login == nil else { throw UsageError("is not UTF-8", argument: "--user") }
            removeUserInfo(&url)
            assign("-H", "Authorization: Basic \(Data(user.octets).base64EncodedString())", typedAs: "--user")
        } else if let user = curl.user {
            if let login { assign(login) }
            assign("--auth", CredentialSource.argument(literal: user), typedAs: "--user")
        } else if let login,
            Safety.refuses("30-login", login.kind == .negotiate || readsNetrc || address?.credential != nil)
        {
            assign(login)
        }
    }

    private mutating func assign(_ login: (kind: AuthenticationKind, offered: AuthenticationOptions.Kinds)) {
        let name = login.kind.rawValue
        assign("--auth-type", name, typedAs: login.kind == .any ? "--anyauth" : "--\(name)")
        behavior.credentials.offeredKinds = login.kind == .any ? login.offered : .all
    }

    func asksForPassword(_ curl: CurlArguments) -> Bool {
        curl.bearer == nil && curl.user.map { $0.firstIndex(ofAny: ":") == nil } ?? false
    }
}

extension String {
    /// Whether the header line is a field of this name, which is in lower case.
    func isField(_ name: String) -> Bool {
        let line = lowercased()
        return line.hasPrefix("\(name):") || line.hasPrefix("\(name);")
    }

    /// Whether the header line removes a field: `Name:`.
    var isRemoval: Bool { halves(around: ":")?.after.allSatisfy(\.isWhitespace) ?? false }
}
