internal import AFCore

extension Diagnosis {
    init(_ failure: RedirectFailure) {
        let hint: String =
            switch failure.reason {
            case .tooMany: "increase --max-redirects"
            case .downgrade: "allow it with --allow-downgrade"
            case .bodyNotRewindable: "put the body into a file: --raw @FILE"
            case .unsupportedScheme, .invalidLocation: "omit --follow to see the response"
            }
        self.init(failure.description, hint: hint, status: .redirects)
    }
}
