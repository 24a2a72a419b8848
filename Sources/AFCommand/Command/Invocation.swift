/// What the command line says, and nothing that it does not say.
///
/// No file has been read and no terminal asked when this exists; a `nil` or empty member was not typed.
/// Each section's members are declared beside its options.
struct Invocation: Equatable, Sendable {
    /// Method, URL and items, as typed.
    var positionals: [String] = []
    var request = Request()
    var authentication = Authentication()
    var redirects = Redirects()
    var sessions = Sessions()
    var tls = TLS()
    var network = Network()
    var retry = Retry()
    var validation = Validation()
    var download = Download()
    var output = Output()
    var records = Records()
    var isOffline = false
    var curl: CurlStyle?
    var other = Other()

    /// Whether the request is shown instead of sent.
    var isDry: Bool { isOffline || curl != nil }
}
