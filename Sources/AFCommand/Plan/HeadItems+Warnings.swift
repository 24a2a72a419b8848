internal import AFHTTP

extension HeadItems {
    /// What was typed and is not sent, in a sentence each.
    ///
    /// - Parameters:
    ///   - mayCompress: Whether the body may become another one before it is sent.
    ///   - login: Where a login comes from that goes before a typed one; `nil` where there is none.
    func warnings(body: BodyPlan, mayCompress: Bool, login: String?) -> [String] {
        var warnings: [String] = []
        if let login, mentions("Authorization") {
            warnings.append("the typed Authorization is passed over: the login of \(login) is sent")
        }
        // A length beside a body is the transport's to say; one that is right says the same.
        if body != .none, let length = value(for: "Content-Length"), mayCompress || body.size.map(String.init) != length
        {
            warnings.append("the typed Content-Length is passed over: the body itself tells how long it is")
        }
        return warnings
    }
}

extension BodyPlan {
    /// In bytes, as far as it is known before the body is sent.
    fileprivate var size: Int64? {
        switch self {
        case .none, .multipart: nil
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let size), .compressed(_, let size): size
        case .standardInput(let input): input.size
        }
    }
}

extension Invocation.Authentication {
    /// The option that says how to log in; `nil` where none does.
    var origin: String? { credential != nil ? "--auth" : kind != nil ? "--auth-type" : nil }
}
