import AFHTTP
import FoundationEssentials

@testable import AFCache
@testable import AFCommand
@testable import AFDownloads
@testable import AFFormatting
@testable import AFJSON
@testable import AFRequests
@testable import AFTransport

/// The values of header fields.
extension FuzzTarget {
    static let fields = [
        FuzzTarget(text: "content-disposition") { text in
            let response = response("Content-Disposition", text)
            response.announcedFilename.map(requireHarmless)
            requireHarmless(DownloadName.name(for: try HTTPURL(parsing: "https://example.org/"), response: response))
        },
        FuzzTarget(text: "content-range", longest: 256) { text in
            guard let content = ContentRange(parsing: text) else { return }
            let (first, last) = (content.range?.lowerBound ?? 0, content.range?.upperBound ?? 0)
            require(first >= 0 && last < content.total ?? .max || content.range == nil, "a range lies in its whole")
        },
        FuzzTarget(text: "set-cookie") { text in
            let har = HARLog(runs: [RunRecord()], redaction: Redaction(revealsSecrets: false))
            require(JSONValue(har.setCookie(text).text) != nil, "a log of cookies is JSON")
            require(JSONValue(JSONText.array(har.cookies(text)).text) != nil, "a log of cookies is JSON")
            var store = CookieStore()
            guard let url = try? HTTPURL(parsing: "https://a.example.org/b/c") else { return }
            store.take(text, from: url, host: url.cookieHost)
            let cookies = store.all()
            require(
                cookies.allSatisfy { $0.isStorable && $0.domainName.hasSuffix("example.org") }, "a cookie is its host's"
            )
            var session = SessionFile()
            session.store(CookieChanges(from: [], to: cookies).applied(to: [], host: "a"))
            require((try? SessionFile(session.content)) != nil, "no cookie makes a session unreadable")
            for cookie in cookies {
                guard let written = cookie.netscapeLine else { continue }
                require(
                    HTTPCookie(netscapeLine: written)?.netscapeLine == written, "a cookie that is written is read again"
                )
            }
            if let date = HTTPDate(ofCookie: text.utf8) {
                require(date >= HTTPDate(secondsSince1970: -11_644_473_600), "no date of a cookie is before 1601")
            }
        },
        FuzzTarget(text: "retry-after", longest: 256) { text in
            let now = Date(timeIntervalSince1970: 1_700_000_000)
            if let retry = RetryAfter(parsing: text, now: now) {
                require(retry.delay(from: now) >= 0, "no wait is negative")
            }
            guard let date = HTTPDate(parsing: text, now: now) else { return }
            require(HTTPDate(parsing: date.description, now: now) == date, "a date that is written is read again")
        },
        // A line for each field.
        FuzzTarget(text: "rate-limit", longest: 512) { text in
            let now = Date(timeIntervalSince1970: 1_700_000_000)
            let names = ["RateLimit", "X-RateLimit-Reset", "X-RateLimit-Remaining", "RateLimit-Reset"]
            var headers = HTTPHeaders()
            for (name, value) in zip(names, text.split(separator: "\n", omittingEmptySubsequences: false)) {
                headers.append(name: name, value: String(value))
            }
            let response = HTTPURLResponse(url: URL(filePath: "/"), statusCode: 429, headers: headers)
            guard let reset = response.rateLimitReset(now: now) else { return }
            require(reset.delay(from: now) >= 0, "no wait is negative")
        },
        FuzzTarget(text: "media-type", longest: 512) { text in
            guard let type = MediaType(parsing: text) else { return }
            _ = BodyKind(type)
            require(
                MediaType(parsing: type.description)?.essence == type.essence, "a type that is written is read again")
        },
        FuzzTarget(text: "challenges") { text in
            for challenge in AuthenticationChallenge.challenges(in: text) {
                require(!challenge.scheme.isEmpty, "a way to log in has a name")
                _ = challenge.method
            }
        },
        FuzzTarget(text: "link") { text in
            guard let base = try? HTTPURL(parsing: "https://example.org/a/b?c") else { return }
            for link in WebLink.links(in: text) {
                require(!link.target.contains(">"), "a bracket ends a target")
                require(link.relations.allSatisfy { !$0.isEmpty && $0 == $0.lowercased() }, "relations are words")
                guard let url = try? base.resolving(link.target) else { continue }
                require((try? HTTPURL(parsing: url.text)) == url, "the URL of a link is read again")
            }
        },
        FuzzTarget(text: "digests") { text in
            for name in ["Repr-Digest", "Digest", "Content-Digest", "Content-MD5"] {
                for checksum in response(name, text).announcedChecksums {
                    require(checksum.bytes.count == checksum.algorithm.byteCount, "a digest has its length")
                    require(Checksum(checksum.description) == checksum, "a checksum that is written is read again")
                }
            }
        },
        FuzzTarget(text: "caching", longest: 512) { text in
            let control = CacheControl(HTTPHeaders(["Cache-Control": text]))
            for name in ["max-age", "s-maxage", "stale-if-error"] {
                require(control.seconds(name) ?? 0 >= 0, "no lifetime is negative")
            }
            _ = control.acceptedStaleness
            guard let entry = HSTSEntry(header: text, of: "example.org") else { return }
            require(HSTSEntry(curlLine: entry.curlLine)?.host == entry.host, "an entry that is written is read again")
        },
    ]

    private static func response(_ name: String, _ value: String) -> HTTPURLResponse {
        HTTPURLResponse(url: nil, statusCode: 200, headers: HTTPHeaders([HTTPHeader(name: name, value: value)]))
    }

}
