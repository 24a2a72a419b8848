/// Every option, in the order that the help shows them.
///
/// The parser, the help, the manual page and the completions read this table and nothing else.
enum OptionTable {
    static let all: [Option] =
        request + authentication + redirects + sessions + tls + network + retry + validation + download + output + other

    /// Those that help, manual and completions tell about.
    static let shown = all.filter { !$0.isHidden }

    /// The shown options under one heading.
    static func options(in section: Option.Section) -> [Option] {
        shown.filter { $0.section == section }
    }

    private static let request: [Option] = [
        .method, .header, .json, .form, .multipart, .part, .formString, .raw, .uploadFile, .boundary,
        .compress, .chunked, .ignoreStandardInput, .https, .defaultScheme, .range, .expectContinue,
    ]

    private static let authentication: [Option] = [
        .auth, .authType, .ignoreNetrc, .netrcFile, .tokenURL, .scope, .refreshToken,
    ]

    private static let redirects: [Option] = [
        .follow, .maxRedirects, .all, .trustRedirects, .allowDowngrade, .post301, .post302, .post303,
    ]

    private static let sessions: [Option] = [.session, .sessionReadOnly, .cookieJar]

    private static let tls: [Option] = [
        .verify, .insecure, .authorityFile, .authorityDirectory, .certificate, .certificateKey,
        .certificateKeyPassword, .tlsVersion, .ciphers, .pin,
    ]

    private static let network: [Option] = [
        .timeout, .connectTimeout, .totalTimeout, .proxy, .noProxy, .unixSocket, .resolve, .connectTo, .dohURL,
        .interface, .ipv4, .ipv6, .http1, .http2, .http2PriorKnowledge, .http3, .rateLimit, .maxHeaders, .maxHeadSize,
        .maxInterim, .pathAsIs, .hsts,
    ]

    private static let retry: [Option] = [.retry, .retryDelay, .retryMaxTime, .retryOn, .retryUnsafe]

    private static let validation: [Option] = [
        .checkStatus, .noCheckStatus, .expectStatus, .expectType, .expectHeader, .expectJSON, .budget,
        .maxFileSize,
    ]

    private static let download: [Option] = [
        .download, .output, .outputDirectory, .createDirectories, .resume, .checksum, .overwrite, .noClobber,
        .remoteTime, .segments, .input, .parallel,
    ]

    private static let output: [Option] = [
        .print, .historyPrint, .headers, .body, .meta, .verbose, .quiet, .pretty, .style, .stream, .sorted, .unsorted,
        .formatOptions, .maxFormatted, .maxRatio, .responseCharset, .responseMime, .color, .progress, .timing,
        .report, .har, .writeOut, .showSecrets,
    ]

    private static let other: [Option] = [
        .offline, .curl, .curlLong, .configuration, .noConfiguration, .help, .version, .generate, .debug,
    ]
}
