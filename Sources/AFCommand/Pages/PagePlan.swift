internal import AFCore
internal import AFHTTP
internal import FoundationEssentials

/// The decisions for consecutive pages.
struct PagePlan: Sendable {
    /// The cursor in the body; `nil` to follow links.
    let cursor: PageCursor?
    let maximum: Int
    /// Whether the user set the maximum.
    let hasTypedMaximum: Bool

    init?(_ typed: PageArguments) {
        guard typed.isUsed else { return nil }
        cursor = typed.cursor
        maximum = typed.maximum ?? PageArguments.defaultMaximum
        hasTypedMaximum = typed.maximum != nil
    }

    /// Checks the options for the output: a file has nothing but the values of all pages.
    ///
    /// - Throws: ``UsageError``
    func check(_ output: OutputArguments, isFile: Bool, hasDirectory: Bool) throws(UsageError) {
        if hasDirectory {
            throw UsageError(
                "names a directory, but all pages go to one file", argument: "--output", hint: "name a file")
        }
        guard isFile, output.verbosity > 0 || output.parts.map({ $0 != .responseBody }) == true else { return }
        throw UsageError(
            "names a file, which has nothing but the values of all pages", argument: "--output",
            hint: "omit the options for the header, or redirect standard output: afcli URL >FILE")
    }

    /// Checks the request of the first page.
    ///
    /// - Throws: ``UsageError`` if the request of another page cannot be created from it.
    func check(_ request: RequestPlan) throws(UsageError) {
        if cursor == nil, request.method != .get, request.method != .head {
            throw UsageError(
                "follows links with GET or HEAD, not \(request.method.rawValue)", argument: "--follow-next")
        }
        guard request.body.isRepeatable else {
            throw UsageError(
                "sends the body for each page, but it can be read only once",
                argument: cursor == nil ? "--follow-next" : "--next", hint: "put the body into a file: --raw @FILE")
        }
    }

    /// Returns the URL of the next page; `nil` after the last one.
    ///
    /// - Parameters:
    ///   - url: The URL of the request.
    ///   - body: The captured body; needed only for a cursor.
    /// - Throws: ``PageFailure``
    func next(after response: HTTPURLResponse, of url: HTTPURL, body: CapturedBody?) throws(PageFailure) -> HTTPURL? {
        guard let cursor else { return try link(in: response, of: url) }
        let bytes: [UInt8]
        switch body {
        case .complete(let complete, _): bytes = complete
        case .tooLarge(let limit): throw .tooLarge(cursor, limit: limit)
        case nil: bytes = []
        }
        let value: String?
        do throws(PageCursor.Problem) {
            value = try cursor.value(in: bytes)
        } catch {
            throw .unusable(cursor, error)
        }
        guard let value else { return nil }
        do throws(InvalidURL) { return try cursor.url(url, with: value) } catch { throw .invalidURL("\(error)") }
    }

    /// Returns the URL of the first link to a next page, relative to the URL of the response (RFC 8288 §3.2).
    private func link(in response: HTTPURLResponse, of url: HTTPURL) throws(PageFailure) -> HTTPURL? {
        let base = (response.url?.absoluteString).flatMap { try? HTTPURL(parsing: $0) } ?? url
        let link = response.links.first { link in
            // A link with another context is not about this page.
            let isOfResponse = link.anchor.map { (try? base.resolving($0)) == base } ?? true
            return isOfResponse && link.relations.contains("next")
        }
        guard let link else { return nil }
        do throws(InvalidURL) { return try base.resolving(link.target) } catch { throw .invalidURL("\(error)") }
    }
}

/// The reason why there is no next page although the server has one.
enum PageFailure: Error, Equatable {
    case tooLarge(PageCursor, limit: Int)
    case unusable(PageCursor, PageCursor.Problem)
    case invalidURL(String)
    /// The page is at another origin, which is not trusted.
    case otherOrigin(HTTPURL)
    case downgrade(HTTPURL)
    /// The page is at another origin than the settings of the configuration.
    case otherSettings(HTTPURL)
    /// The page was received before.
    case repeated(HTTPURL)
}

extension RedirectPolicy {
    /// Returns the reason why a page must not be requested; `nil` if it may be.
    ///
    /// - Parameter first: The URL of the first page.
    func failure(of page: HTTPURL, after first: HTTPURL) -> PageFailure? {
        guard page.origin != first.origin else { return nil }
        guard Safety.requires("01-pages", trustsOtherOrigins) else { return .otherOrigin(page) }
        if first.scheme == .https, page.scheme == .http, !allowsDowngrade { return .downgrade(page) }
        switch scope {
        case .anywhere: return nil
        case .host: return page.host == first.host ? nil : .otherSettings(page)
        case .origin: return .otherSettings(page)
        }
    }
}
