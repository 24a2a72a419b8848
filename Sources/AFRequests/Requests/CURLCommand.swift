internal import AFHTTP
internal import FoundationEssentials

/// A request as a curl command for a shell.
struct CURLCommand {
    static let none = "$ curl command could not be created"

    private var words = ["$ curl -v"]

    var text: String { words.joined(separator: " \\\n\t") }

    /// Creates a command.
    ///
    /// - Parameters:
    ///   - sessionHeaders: The default header fields, used for names that the request does not set.
    ///   - revealsSecrets: Whether passwords, tokens and cookies are shown.
    init?(_ request: URLRequest, credential: URLCredential?, sessionHeaders: HTTPHeaders, revealsSecrets: Bool) {
        guard let url = request.url, url.host != nil, let method = request.httpMethod else { return nil }
        // With -X HEAD curl would wait for a body.
        words.append(method == "HEAD" ? "--head" : "-X \(method)")
        if let credential {
            words.append("-u " + Self.quoted("\(credential.user):\(revealsSecrets ? credential.password : Self.mask)"))
        }
        for cookie in request.headers.values(for: "Cookie") {
            words.append("-b " + Self.quoted(revealsSecrets ? cookie : Self.mask))
        }
        let inherited = sessionHeaders.filter { request.headers[$0.name] == nil }
        for header in inherited + Array(request.headers) where header.name.lowercased() != "cookie" {
            let isHidden = header.holdsSecret && !revealsSecrets && !header.value.isEmpty
            let shown = HTTPHeader(name: header.name, value: isHidden ? Self.mask : header.value)
            words.append("-H " + Self.quoted(shown.curlDescription))
        }
        // curl also sends a form by default.
        let type = request.headers["Content-Type"] ?? sessionHeaders["Content-Type"] ?? Self.form
        let isForm = MediaType(parsing: type)?.essence == Self.form
        if let body = request.httpBody { words.append(Self.option(for: body, hidesSecrets: isForm && !revealsSecrets)) }
        let address = url.absoluteString.withoutUserInfo
        words.append(Self.quoted(revealsSecrets ? address : QueryRedaction().url(address)))
    }

    private static let mask = "•••"
    private static let form = "application/x-www-form-urlencoded"

    private static func option(for body: Data, hidesSecrets: Bool) -> String {
        // A body that is not text must be read from standard input.
        guard var text = String(validating: body, as: UTF8.self), !body.contains(0) else { return "--data-binary @-" }
        if hidesSecrets { text = QueryRedaction().query(text) }
        return (text.hasPrefix("@") ? "--data-raw " : "-d ") + quoted(text)
    }

    /// Returns the text in double quotes, with all characters escaped that are special to shells.
    private static func quoted(_ text: String) -> String {
        var quoted = ""
        for character in text.unicodeScalars {
            switch character {
            case "\\", "\"", "$", "`": quoted += "\\\(character)"
            // Interactive shells expand their history even between double quotes.
            case "!": quoted += "\"'!'\""
            default: quoted.unicodeScalars.append(character)
            }
        }
        return "\"\(quoted)\""
    }
}
