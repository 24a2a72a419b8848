internal import AFExpressions
internal import AFHTTP

extension Redaction {
    /// Creates the redaction of a response for reports.
    ///
    /// - Parameter secrets: The secrets of its request.
    init(_ secrets: KnownSecrets, _ variables: HurlVariables) {
        var known = secrets
        for text in variables.secrets { known.add(text) }
        self.init(revealsSecrets: false, known: known)
    }
}

extension String {
    /// The redacted text with the mask of files of requests.
    var withMaskOfRun: String { replacing(Redaction.mask, with: HurlVariables.mask) }
}

extension RequestSecrets {
    /// Collects the secrets of a request of a file.
    init(_ values: HurlRequestValues) {
        self.init()
        for field in values.headers { add(HTTPHeader(name: field.name, value: field.value)) }
        for cookie in values.cookies { add(HTTPHeader(name: "Cookie", value: "\(cookie.name)=\(cookie.value)")) }
        if let credentials = values.credentials { add(credentials.value) }
        add(url: values.url)
        switch values.body {
        case .none: break
        case .bytes(let bytes):
            let type = values.headers.last(where: \.isContentType)?.value ?? values.implicitType
            add(bytes, type: type.flatMap(MediaType.init(parsing:)))
        case .multipart(let parts):
            for case (let name, .text(let text)) in parts.map({ ($0.name, $0.content) }) {
                add(Array(text.utf8), named: name, type: nil)
            }
        }
    }
}
