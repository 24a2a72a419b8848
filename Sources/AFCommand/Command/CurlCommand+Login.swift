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
        if endpoint.isStorage { return addContentDigest(AWSSigner(credentials, for: endpoint)) }
        switch body {
        case .none, .bytes: break
        default: warn("some versions of curl sign a body from a file or standard input as if it were empty")
        }
    }

    /// Adds the digest of the body, which S3 requires, and which curl 7.88 signs but does not add.
    private mutating func addContentDigest(_ signer: AWSSigner) {
        guard !hasHeader("X-Amz-Content-SHA256") else { return }
        let digest = contentDigest(signer)
        add("--header", "x-amz-content-sha256: \(digest ?? "UNSIGNED-PAYLOAD")")
        if digest == nil, url.scheme == .http { warn("S3 accepts an unsigned body over https only") }
    }

    /// The size in bytes of files that are not read, unless S3 requires a digest.
    private static let largeFileSize: Int64 = 64 << 20

    /// Returns the digest of curl's body; `nil` if it differs from the request's: curl chooses another boundary, and the
    /// digest of a masked secret would be a clue to it; `nil`, too, for a large file, if its digest is optional.
    private func contentDigest(_ signer: AWSSigner) -> String? {
        if case .multipart = body { return nil }
        if case .file(_, let size?, _) = body, size > Self.largeFileSize, url.scheme == .https { return nil }
        if case .bytes(let bytes) = body, let shown = redaction.text(bytes, type: request.mediaType),
            Array(shown.utf8) != bytes
        {
            return nil
        }
        guard var signed = try? request.asURLRequest(),
            (try? signer.sign(&signed, body: body.source(plan.waits))) != nil
        else { return nil }
        return signed.headers.value(for: "X-Amz-Content-SHA256")
    }

    private func isTypable(_ credential: URLCredential) -> Bool { !credential.user.contains(":") }
}
