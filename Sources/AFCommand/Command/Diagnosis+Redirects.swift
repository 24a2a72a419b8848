internal import AFCore

extension Diagnosis {
    init(_ failure: RedirectFailure) {
        let hint: String =
            switch failure.reason {
            case .tooMany: "allow more with --max-redirects"
            case .downgrade: "allow it with --allow-downgrade"
            case .bodyNotRewindable: "put the body into a file: --raw @FILE"
            case .unsupportedScheme, .invalidLocation: "leave out --follow to see the response"
            }
        self.init(failure.description, hint: hint, status: .redirects)
    }
}
