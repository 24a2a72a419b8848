internal import AFCore

/// Options about the forms of requests and responses.
extension NetworkArguments {
    /// The options that set these values, in the order of the help; they follow ``options``.
    @OptionList<Self> static var messageOptions: [Option<Self>] {
        Option(
            "--path-as-is",
            summary: "Keep /../ and /./ in the URL's path",
            curl: [.same],
            effect: .flag(\.keepsPathAsTyped, sets: true)
        )

        Option(
            "--request-target",
            summary: "Target of the request line instead of the URL's",
            details: "Such as `*` for OPTIONS. It is sent as it is, also after redirects.",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            secrets: .url,
            effect: .argument("TARGET", parsing: ConnectionArgument.requestTarget, sets: \.messages.requestTarget)
        )

        Option(
            "--transfer-coding",
            summary: "Request a compressed transfer coding",
            isRare: true,
            curl: [.named("tr-encoding")],
            isCopiedToCurl: true,
            effect: .flag(\.messages.requestsTransferCoding, sets: true)
        )

        Option(
            "--keep-transfer-coding",
            summary: "Keep the transfer coding of the body (chunks)",
            isRare: true,
            curl: [.named("raw")],
            isCopiedToCurl: true,
            effect: .flag(\.messages.decodesTransferCoding, sets: false)
        )

        Option(
            "--ignore-content-length",
            summary: "Read the body until the connection is closed",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .flag(\.messages.ignoresContentLength, sets: true)
        )

        Option(
            "--haproxy-protocol",
            summary: "Start connections with HAProxy's PROXY header",
            isRare: true,
            curl: [.same],
            isCopiedToCurl: true,
            effect: .flag(\.messages.sendsProxyProtocol, sets: true)
        )

        Option(
            "--no-decode",
            summary: "Keep the Content-Encoding of the body",
            details: """
                The body is shown, searched and saved as received, with any coding. The request is unchanged: \
                `Accept-Encoding:identity` requests an unencoded body.
                """,
            effect: .flag(\.decodesContent, sets: false)
        )
    }
}
