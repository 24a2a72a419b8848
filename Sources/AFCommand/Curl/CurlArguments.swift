/// The values of curl's options, up to a `--next`.
struct CurlArguments: Sendable {
    /// The interpretation of a data argument.
    enum DataKind: Sendable { case data, binary, raw, encoded, json }

    enum Output: Equatable, Sendable {
        case file(String)
        /// The last component of the URL's path.
        case remoteName
    }

    var urls: [String] = []
    var outputs: [Output] = []
    var uploads: [String] = []

    var method: String?
    var isHead = false
    var isGet = false
    var headers: [String] = []
    var userAgent: String?
    var referer: String?
    var cookies: [String] = []
    var cookieJar: String?
    var range: String?
    var timeCondition: String?
    var queries: [String] = []
    var etagFile: String?
    var isGlobOff = false
    var isCompressed = false
    var follows = false
    var trustsRedirects = false
    var maximumRedirects: String?
    var defaultScheme: String?
    var protocols: String?

    var data: [(kind: DataKind, text: String)] = []
    var parts: [(text: String, isLiteral: Bool)] = []

    var allRemoteNames = false
    var usesHeaderName = false
    var offset: String?
    var includesHead = false
    var headFile: String?
    var isSilent = false
    var hidesProgress = false
    /// The variables of `--write-out` that do not exist here.
    var unknownVariables: [String] = []
    var isVerbose = false
    var failsEarly = false

    var proxy: String?
    var proxyUser: String?
    var user: String?
    var login: String?
    var bearer: String?
    var amazon: String?
    var readsNetrc = false
    var certificate: String?
    var keyPassword: String?
    var retries: String?
    var retriesRefused = false
    var retriesAll = false

    var failsQuietly = false
    var speedLimit: String?
    var speedTime: String?
    /// The typed options that have no effect here.
    var ineffective: [String] = []
    /// Options with the same meaning here, by name, each with its argument.
    var same: [String: [[String]]] = [:]

    mutating func add(_ kind: DataKind, _ text: String) { data.append((kind, text)) }
}
