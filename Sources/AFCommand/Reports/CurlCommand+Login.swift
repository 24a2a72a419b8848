internal import AFCore
internal import AFHTTP

/// The login, as one where curl knows its kind: then it can be left out, and curl asks for the password.
extension CurlCommand {
    /// Whether the login is written as such, and not as a header.
    var isLoginTyped: Bool {
        if case .basic(let credential)? = login { isTypable(credential) } else { false }
    }

    mutating func addLogin() {
        switch login {
        case nil, .bearer: break
        case .basic(let credential): if isTypable(credential) { addUser(credential) }
        case .digest(let credential): addLogin("--digest", credential)
        case .ntlm(let credential): addLogin("--ntlm", credential)
        case .negotiate(let credential): addLogin("--negotiate", credential)
        case .amazon(let credentials, let endpoint): addSignature(credentials, endpoint)
        case .oauth2:
            add("-H", "--header", "Authorization: Bearer \(Redaction.mask)")
            remark("the token is asked for when the request is sent: put one in the place of \(Redaction.mask)")
        }
    }

    private mutating func addLogin(_ option: String, _ credential: URLCredential) {
        add(nil, option)
        // Without names curl takes the ticket that is there.
        if credential.user.isEmpty { return add("-u", "--user", ":") }
        addUser(credential)
        if !isTypable(credential) { remark("curl takes a user's name up to its first colon") }
    }

    /// A password that is left out is asked for.
    private mutating func addUser(_ credential: URLCredential) {
        add("-u", "--user", redaction.revealsSecrets ? "\(credential.user):\(credential.password)" : credential.user)
    }

    private mutating func addSignature(_ credentials: AWSCredentials, _ endpoint: AWSEndpoint) {
        add(nil, "--aws-sigv4", "aws:amz:\(endpoint.region):\(endpoint.service)")
        addUser(URLCredential(user: credentials.accessKeyID, password: credentials.secretAccessKey))
        if let token = credentials.sessionToken {
            let header = HTTPHeader(name: "X-Amz-Security-Token", value: token)
            add("-H", "--header", "\(header.name): \(redaction.value(of: header))")
        }
        switch body {
        case .none, .bytes: break
        default: remark("some versions of curl sign a body that is not in the command as an empty one")
        }
    }

    private func isTypable(_ credential: URLCredential) -> Bool { !credential.user.contains(":") }
}
