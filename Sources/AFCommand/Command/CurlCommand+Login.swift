internal import AFCore
internal import AFHTTP
internal import AFSigning

/// The credentials as options if curl supports the scheme: then the password can be omitted, and curl prompts for it.
extension CurlCommand {
    /// Whether credentials are written as options, and not as a header field.
    var isLoginTyped: Bool {
        if case .password(.basic, let credential, _)? = plan.login { isTypable(credential) } else { false }
    }

    mutating func addLogin() {
        switch plan.login {
        case nil, .bearer: break
        case .password(.basic, let credential, _): if isTypable(credential) { addUser(credential) }
        case .password(let kind, let credential, _):
            addLogin(kind == .any ? "--anyauth" : "--\(kind.rawValue)", credential)
        case .aws(let credentials, let endpoint): addSignature(credentials, endpoint)
        case .oauth2:
            add("--header", "Authorization: Bearer \(Redaction.mask)")
            warn("the token is obtained when the request is sent: replace \(Redaction.mask) by one")
        }
    }

    private mutating func addLogin(_ option: String, _ credential: URLCredential) {
        add(option)
        // Without names curl uses the existing ticket.
        if credential.user.isEmpty { return add("--user", ":") }
        addUser(credential)
        if !isTypable(credential) { warn("curl ends a user name at the first colon") }
    }

    /// Adds the user; curl prompts for an omitted password.
    private mutating func addUser(_ credential: URLCredential) {
        add("--user", redaction.revealsSecrets ? "\(credential.user):\(credential.password)" : credential.user)
    }

    private mutating func addSignature(_ credentials: AWSCredentials, _ endpoint: AWSEndpoint) {
        add("--aws-sigv4", "aws:amz:\(endpoint.region):\(endpoint.service)")
        addUser(URLCredential(user: credentials.accessKeyID, password: credentials.secretAccessKey))
        if let token = credentials.sessionToken {
            let header = HTTPHeader(name: "X-Amz-Security-Token", value: token)
            add("--header", "\(header.name): \(redaction.value(of: header))")
        }
        switch body {
        case .none, .bytes: break
        default: warn("some versions of curl sign a body from a file or standard input as if it were empty")
        }
    }

    private func isTypable(_ credential: URLCredential) -> Bool { !credential.user.contains(":") }
}
