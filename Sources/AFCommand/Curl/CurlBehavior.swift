internal import AFCore
internal import AFHTTP

/// The behavior of a curl command that no option of afcli expresses.
struct CurlBehavior: Equatable, Sendable {
    /// The body, if no argument can express it.
    var body: [UInt8]?
    /// The default `User-Agent`; `nil` for that of afcli.
    var userAgent: String?
    /// Whether `--max-time` limits each attempt, and not the run with its retries.
    var limitsAttempts = false
    /// Whether a retry may start until `--retry-max-time`, regardless of the delay before it.
    var retriesUntilEnd = false
    /// Whether every 3xx with a `Location` is a redirect.
    var followsAllRedirects = false
    /// Whether 301, 302 and 303 change every method to GET, as in Hurl.
    var changesEveryMethod = false
    /// Whether the locations of redirects are percent-encoded as by curl.
    var encodesLikeCurl = false
    /// The names of typed fields about the body that stay when a redirect changes the method to GET.
    var keptHeaders: Set<String> = []
    /// The typed header lines with another form than `Name: value`, by that form.
    var spellings: [String: String] = [:]
    var credentials = CredentialRules()
    /// Whether the requests after a challenge or a redirect of HTTP/1.0 have that version, too.
    var keepsHTTP10 = false
    /// Whether headers have only the limits of libcurl.
    var liftsHeaderLimits = false
    /// Whether the transfer ends after the header, as with `--head` and another method.
    var omitsBody = false
    /// The credential for a proxy of the environment, as with `--proxy-user`.
    var proxyCredential: URLCredential?
    /// The file with the only accepted public key.
    var pinnedKeyFile: String?
    /// Whether cookies are stored in memory and sent, as with `--cookie` and `--cookie-jar`.
    var handlesCookies = true
    /// The cookies of the files of `--cookie`.
    var cookies: [HTTPCookie] = []
    /// The schemes of the targets of redirects that are followed.
    var redirectSchemes = HTTPURL.Scheme.allCases
    /// Whether the request after a redirect names the URL before as its `Referer`.
    var sendsReferer = false
    /// The rules for saving the response.
    var saving = SavingRules()
    /// Whether the headers of all responses are printed, with their trailers.
    var printsHeaders = false
    /// Whether none are printed, even on a terminal.
    var hidesHeaders = false
    /// Whether the headers of responses to CONNECT are not printed.
    var hidesTunnelHeads = false
    /// Whether a connection is opened if another one of unknown protocol could be shared.
    var connectsAtOnce = false
    /// The seconds without traffic after which TCP probes a connection; `nil` for no probes.
    var keepAliveTime: Int?
    /// Whether TLS sessions are resumed on other connections.
    var resumesTLS = true
    /// Whether the file of `--output` receives what is printed, which includes headers.
    var printsToFile = false
    /// The offset from which the body is requested and appended to the file; `nil` for a complete body.
    var offset: Int64?
    /// The limit of `--max-filesize` for the length that a response to `--head` announces; `nil` for none.
    var maximumAnnouncedLength: Int64?
    /// Whether the body of an error (400 and above) is not shown, as with `--fail`.
    var hidesErrorBodies = false
    /// Whether an error (400 and above) is reported as an error of the command, as with `--fail`.
    var reportsStatus = false
    /// Whether a body with an unknown content coding is an error, as with `--compressed`.
    var rejectsUnknownCodings = false
    /// Whether the secrets of headers that `-v` shows are masked outside of a terminal.
    var masksHeads = true
    /// Whether notes and warnings are hidden, as with `-s`; the output is not.
    var hidesWarnings = false
}
