internal import AFCore
internal import AFSigning

extension Diagnosis {
    init(_ error: AWSSigningError) {
        let hint = "put the body into a file: --raw @FILE; S3 takes it unsigned over https"
        self.init("\(error)", hint: hint, status: .usage)
    }

    /// Creates the diagnosis of a failed token request.
    ///
    /// - Parameter context: The context of the request to the token endpoint.
    init(_ error: OAuth2Error, _ context: FailureContext?) {
        switch error {
        case .refused(code: "invalid_client", _):
            self.init("\(error)", hint: "check the client's id and secret: --auth CLIENT_ID:SECRET", status: .failure)
        case .refused(code: "invalid_grant", _):
            self.init("\(error)", hint: "the refresh token is no longer valid: authenticate again", status: .failure)
        case .refused(code: "access_denied", _):
            self.init("\(error)", hint: "the user denied the access; run the command again", status: .failure)
        case .refused(code: "expired_token", _):
            self.init(
                "the code expired before the user entered it",
                hint: "run the command again, and enter the code in time",
                status: .timeout)
        case .noDeviceCode: self.init("\(error)", hint: "check --device-url", status: .failure)
        case .noLogin: self.init("\(error)", hint: "run the command again", status: .timeout)
        case .cannotListen:
            self.init("\(error)", hint: "close the program that uses it, or set --redirect-url", status: .failure)
        case .refused(code: "invalid_scope", _): self.init("\(error)", hint: "check --scope", status: .failure)
        case .noResponse(let underlyingError, let url):
            let diagnosis = Diagnosis(underlyingError, context)
            let option = url == context?.deviceURL ? "--device-url" : "--token-url"
            let sentence = "could not obtain a token: \(diagnosis.message)"
            let speaksNoTLS = underlyingError.transferFailure?.reason == .notTLS
            let hint = speaksNoTLS ? diagnosis.hint : nil
            self.init(
                sentence, hint: hint ?? "check \(option), and that it can be reached", status: diagnosis.exitStatus)
        case .refused: self.init("\(error)", status: .failure)
        case .noToken(status: 400, _), .noToken(status: 401, _), .noToken(status: 403, _):
            self.init(
                "\(error)", hint: "check the client's id and secret: --auth CLIENT_ID:SECRET, and --token-url",
                status: .failure)
        case .noToken, .unknownTokenType, .invalidToken:
            self.init("\(error)", hint: "check --token-url", status: .failure)
        }
    }
}

extension Diagnosis {
    init(_ error: WebSocketError) {
        switch error.kind {
        case .pingTimedOut: self.init(error.detail, hint: "increase --ping-interval", status: .timeout)
        case .closeTimedOut: self.init(error.detail, hint: "increase --timeout", status: .timeout)
        case .messageTooBig: self.init(error.detail, hint: "increase --max-filesize", status: .broken)
        case .invalidHandshake:
            self.init(error.detail, hint: "check that the server accepts WebSockets at this URL", status: .broken)
        default: self.init(error.detail, status: .broken)
        }
    }
}

extension Diagnosis {
    init(_ failure: RedirectFailure) {
        let (hint, curlCode): (String, Int32) =
            switch failure.reason {
            case .tooMany: ("check the redirects with --all; --max-redirects allows more", 47)
            case .downgrade: ("allow it with --allow-downgrade", 1)
            case .bodyNotRewindable: ("put the body into a file: --raw @FILE", 65)
            case .otherHost:
                ("request the new URL directly: the configuration's settings are for the first one", 1)
            case .unsupportedScheme, .excludedScheme: ("omit --follow to see the response", 1)
            case .invalidLocation: ("omit --follow to see the response", 3)
            }
        self.init(failure.description, hint: hint, status: .redirects, curlCode: curlCode)
    }
}
