internal import AFCore

/// A scheme for the credentials of a proxy.
enum ProxyAuthenticationKind: String, ArgumentValue, CaseIterable {
    case basic, digest, ntlm, negotiate

    var kind: AuthenticationOptions.Kinds {
        switch self {
        case .basic: .basic
        case .digest: .digest
        case .ntlm: .ntlm
        case .negotiate: .negotiate
        }
    }
}
