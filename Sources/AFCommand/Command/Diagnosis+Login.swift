internal import AFCore
internal import AFSigning

extension Diagnosis {
    init(_ error: AWSSigningError) {
        let hint = "put the body into a file: --raw @FILE; S3 takes it unsigned over https"
        self.init("\(error)", hint: hint, status: .usage)
    }

    init(_ error: OAuth2Error) {
        switch error {
        case .refused(code: "invalid_client", _):
            self.init("\(error)", hint: "check the client's id and secret: --auth CLIENT_ID:SECRET", status: .failure)
        case .refused(code: "invalid_grant", _):
            self.init("\(error)", hint: "the refresh token is no longer valid: authenticate again", status: .failure)
        case .refused(code: "invalid_scope", _): self.init("\(error)", hint: "check --scope", status: .failure)
        case .unanswered(let beneath):
            let diagnosis = Diagnosis(beneath)
            let sentence = "could not obtain a token: \(diagnosis.message)"
            self.init(sentence, hint: "check --token-url, and that it can be reached", status: diagnosis.status)
        default: self.init("\(error)", hint: "check --token-url", status: .failure)
        }
    }
}
