internal import AFCore
internal import AFHTTP

/// The default header fields of a request, in HTTPie's order.
struct DefaultHeaders {
    /// The authentication, which overrides a typed `Authorization`.
    enum Authentication: Equatable {
        case absent
        /// A field that is sent with the first request.
        case header(HTTPHeader)
        /// A field that is sent after the server's challenge.
        case later
    }

    /// The value of `User-Agent` of the tool.
    static let ownUserAgent = "afcli/\(AFInfo.version)"

    var acceptEncoding: String
    var userAgent = Self.ownUserAgent
    var login = Authentication.absent
    /// Whether a body is sent in chunks although its length is known.
    var isChunked = false

    /// Returns the default fields combined with the typed ones.
    func list(_ method: HTTPMethod, _ draft: BodyPlanner.Draft, _ head: ItemEdits) -> HeaderList {
        var list = HeaderList(
            defaults: defaults(method, draft), head.edits.filter { !isOverruled($0, hasBody: draft.body != .none) })
        if case .multipart(_, let boundary, _) = draft.body {
            list.rewrite("Content-Type") { value in
                let hasBoundary = MediaType(parsing: value)?.parameter("boundary") != nil
                let parameter = MultipartFormData(boundary: boundary).contentType.drop { $0 != ";" }
                return hasBoundary ? value : value + parameter
            }
        }
        return list
    }

    private func defaults(_ method: HTTPMethod, _ draft: BodyPlanner.Draft) -> [HTTPHeader] {
        var headers = [HTTPHeader.acceptEncoding(acceptEncoding)]
        if !draft.wantsJSON { headers.append(.accept("*/*")) }
        headers.append(HTTPHeader(name: "Connection", value: "keep-alive"))
        if draft.body == .none, [.post, .put, .patch, .delete].contains(method) {
            headers.append(HTTPHeader(name: "Content-Length", value: "0"))
        }
        if case .header(let login) = login { headers.append(login) }
        headers.append(.userAgent(userAgent))
        if draft.wantsJSON { headers.append(.accept(Self.jsonAccept)) }
        if let type = draft.contentType { headers.append(.contentType(type)) }
        if isChunked, draft.body != .none { headers.append(HTTPHeader(name: "Transfer-Encoding", value: "chunked")) }
        return headers
    }

    /// Whether a field is a default one, of which a server expects nothing.
    static func isDefault(name: String, value: String) -> Bool {
        switch name.lowercased() {
        case "accept": ["*/*", jsonAccept].contains(value)
        case "accept-encoding": value == DecodableCoding.acceptEncoding
        case "connection": value == "keep-alive"
        case "user-agent": value == ownUserAgent
        default: false
        }
    }

    private static let jsonAccept = "application/json, */*;q=0.5"

    /// Whether a typed field is ignored: the length of a body is always sent, and authentication overrides a typed
    /// field.
    private func isOverruled(_ edit: HeaderEdit, hasBody: Bool) -> Bool {
        if edit.name.isSameFieldName(as: "Content-Length") { return edit.isRemoval && hasBody }
        return edit.name.isSameFieldName(as: "Authorization") && login != .absent
    }
}

extension HeaderEdit {
    /// The name of the field.
    var name: String {
        switch self {
        case .add(let header): header.name
        case .remove(let name): name
        }
    }

    fileprivate var isRemoval: Bool {
        if case .remove = self { true } else { false }
    }
}
