/// The task of a client: download the URL into the file `f` of its working folder, or resume it.
struct Job: Sendable {
    static let file = "f"

    var url: String
    /// The maximum number of retries within one run.
    var retries = 0
    /// The maximum time without progress, in seconds.
    var timeout = 10
    /// The PEM file with the trusted CA certificate.
    var authority: String?
    var usesHTTP2 = false
    /// Whether to resume the file. Without it, curl and wget restart or choose another name.
    var resumes = true
    var segments: Int?
    /// wget always follows redirects.
    var followsRedirects = false
    /// Whether the file gets the date of `Last-Modified`; wget always sets it.
    var keepsRemoteTime = false
    /// Additional arguments for afcli without an equivalent in other clients.
    var more: [String] = []

    init(_ url: String) { self.url = url }

    func arguments(for client: Client) -> [String] {
        switch client {
        case .afcli: afcliArguments
        case .curl: curlArguments
        case .wget: wgetArguments
        }
    }

    private var afcliArguments: [String] {
        var words = ["GET", url, "--output", Self.file, "--timeout", "\(timeout)"]
        if resumes { words.append("--resume") }
        if retries > 0 { words += ["--retry", "\(retries)", "--retry-delay", "0"] }
        if let authority { words += ["--cacert", authority] }
        if usesHTTP2 { words.append("--http2-prior-knowledge") }
        if followsRedirects { words.append("--follow") }
        if let segments { words += ["--segments", "\(segments)"] }
        if keepsRemoteTime { words.append("--remote-time") }
        return words + more
    }

    private var curlArguments: [String] {
        var words = ["--fail", "--silent", "--show-error", "--output", Self.file, url]
        words += ["--speed-limit", "1", "--speed-time", "\(timeout)"]
        if resumes { words += ["--continue-at", "-"] }
        if followsRedirects { words.append("--location") }
        // For curl, a delay of 0 means its default: increasing delays.
        if retries > 0 { words += ["--retry", "\(retries)", "--retry-delay", "1", "--retry-all-errors"] }
        if let authority { words += ["--cacert", authority] }
        if usesHTTP2 { words.append("--http2-prior-knowledge") }
        if keepsRemoteTime { words.append("--remote-time") }
        return words
    }

    private var wgetArguments: [String] {
        var words = ["--no-verbose", "--tries=\(retries + 1)", "--waitretry=0", "--timeout=\(timeout)", url]
        if resumes { words.append("--continue") }
        if let authority { words.append("--ca-certificate=\(authority)") }
        return words
    }
}
