import AFHTTP
import AFTransport
import FoundationEssentials

@testable import AFCache
@testable import AFCommand
@testable import AFDownloads
@testable import AFJSON
@testable import AFRequests

/// Files that other programs, other versions or other people wrote.
extension FuzzTarget {
    static let files = [
        FuzzTarget("netrc") { bytes in
            let netrc = try Netrc(parsing: bytes)
            for entry in netrc.entries {
                guard let machine = entry.machine, let password = entry.password, let login = entry.login else {
                    continue
                }
                let found = netrc.login(for: [machine], user: login)
                require(found?.user == login, "a login is found")
                require(netrc.entries.count > 1 || found?.password == password, "and its password")
            }
        },
        FuzzTarget("session", longest: 4096) { bytes in
            var session = try SessionFile(bytes)
            guard let again = try? SessionFile(session.content) else {
                return require(false, "a session is read again")
            }
            require(again.headers.lines == session.headers.lines, "a session keeps its headers")
            require(again.login == session.login && again.token == session.token, "a session keeps its logins")
            require(again.hstsEntries == session.hstsEntries, "a session keeps its hosts")
            require(again.cookies.lines == session.cookies.lines, "a session keeps its cookies")
            session.store([HTTPHeader(name: "X-Kept", value: "1")])
            session.store(SessionFile.Authentication(kind: "basic", credential: "ada:\u{1F511}"))
            session.store(session.cookies + [SessionCookie(HTTPCookie(name: "a", value: "b", domain: "example.org"))])
            let changed = try? SessionFile(session.content)
            require(changed?.headers.lines == session.headers.lines, "a new header is kept")
            require(changed?.login == session.login, "a new login is kept")
            require(changed?.cookies.lines == session.cookies.lines, "a new cookie is kept")
        },
        FuzzTarget("configuration", longest: 1024) { bytes in
            var environment = Environment.system()
            environment.files = FileAccess(
                read: { _, _ in bytes },
                describe: { _ in FileAccess.Description(kind: .regular, size: nil) },
                homeDirectory: nil
            )
            let configuration = try Configuration.load(.file("config.json"), environment)
            let assignments = try configuration?.assignments(
                variables: Variables(["NO_COLOR": "1", "http_proxy": "http://127.0.0.1"]))
            _ = assignments.map { Invocation($0) }
        },
        FuzzTarget("cookie-file") { bytes in
            for line in bytes.lines {
                guard let cookie = HTTPCookie(netscapeLine: String(decoding: line.dropLast(), as: UTF8.self)),
                    let written = cookie.netscapeLine
                else { continue }
                require(
                    HTTPCookie(netscapeLine: written)?.netscapeLine == written, "a cookie that is written is read again"
                )
            }
        },
        FuzzTarget("hsts-file", longest: 512) { bytes in
            for line in bytes.lines {
                let text = String(decoding: line.dropLast().trimmed, as: UTF8.self)
                guard let entry = HSTSEntry(curlLine: text) else { continue }
                require(!entry.host.isEmpty, "an entry names a host")
                let again = HSTSEntry(curlLine: entry.curlLine)
                require(again?.includesSubdomains == entry.includesSubdomains, "an entry that is written is read again")
                _ = entry.covers("a.example.org")
            }
        },
        FuzzTarget("download-record") { bytes in
            let record = try DownloadRecord(json: Data(bytes))
            require(try DownloadRecord(json: record.json) == record, "a record stays the same")
            require(record.resumeOffset >= 0 && record.resumeOffset <= record.completedBytes, "nothing is left out")
            var request = URLRequest(url: try HTTPURL(parsing: "https://example.org/").foundationURL!)
            record.addRange(to: &request)
            let response = HTTPURLResponse(
                url: nil,
                statusCode: 206,
                headers: ["Content-Range": "bytes 10-19/20", "ETag": "\"a\"", "Content-Length": "10"]
            )
            let isContinued = record.isContinued(by: response, isVerified: true)
            require(
                !isContinued || record.resumeOffset == 10 && record.length ?? 20 == 20, "a part fits to what is there")
        },
        FuzzTarget("cache-file", longest: 4096) { bytes in
            guard let stored = CacheFile.response(bytes) else { return }
            let start = CacheFile.start(of: stored)
            require(!start.isEmpty && stored.response.statusCode >= 200, "a kept response is a final one")
        },
        FuzzTarget("aws-profile") { bytes in
            let files = FileAccess(
                read: { _, _ in bytes },
                describe: { _ in FileAccess.Description(kind: .regular, size: nil) },
                homeDirectory: "/"
            )
            let credentials = CredentialAccess(
                variable: { _ in nil }, descriptor: { _ in [] }, command: { _, _ in [] }, ask: { _, _ in "" })
            let profile = try AWSProfile(
                SecretSources(files: files, credentials: credentials, ignoresStandardInput: true))
            if case .keys(let keys) = profile.source {
                require(!keys.id.isEmpty && !keys.secret.isEmpty, "no key is empty")
            }
        },
        FuzzTarget("certificates", longest: 4096) { bytes in
            for certificate in Certificate.certificates(in: bytes) {
                require(Certificate(derBytes: certificate.derBytes) == certificate, "a certificate stays the same")
                _ = (certificate.publicKey, certificate.description)
            }
        },
        FuzzTarget("certificate-details", longest: 4096) { bytes in
            let certificates = Certificate.certificates(in: bytes)
            let again = Certificate.certificates(in: certificates.flatMap(\.derBytes))
            require(again == certificates, "certificates that follow each other are found again")
            let details = certificates.compactMap(\.details)
            require(details.count == certificates.count, "every certificate has contents")
            let date = Date(timeIntervalSince1970: 1_800_000_000)
            let view = CertificateView(origin: "https://a.example", certificates: details, date: date).render()
            require(Array(view.utf8).isHarmlessOnTerminal, "a terminal obeys no certificate")
            let report = Report(run: RunRecord(), redaction: Redaction(revealsSecrets: false))
            for certificate in certificates {
                let text = report.certificate(certificate.derBytes, at: date).text
                require((try? JSONCursor(Array(text.utf8))) != nil, "a report is JSON")
            }
        },
    ]
}

// In the older layouts of sessions headers and cookies are members of objects, which have no order.

extension [HTTPHeader] {
    fileprivate var lines: [String] { map(\.description).sorted() }
}

extension [SessionCookie] {
    fileprivate var lines: [String?] { map { $0.cookie(for: "a").netscapeLine }.sorted { $0 ?? "" < $1 ?? "" } }
}
