/// The options for WebSocket URLs, as typed.
struct WebSocketArguments: Equatable, Sendable {
    var isBinary = false
    var maximumMessages: Int?
    var pingInterval: Seconds?
    var linger: Seconds?
    /// Whether the URL is that of a WebSocket; `nil` if it is not known yet.
    var isOpened: Bool?
}

extension OptionRequirement<WebSocketArguments> {
    /// The URL is that of a WebSocket.
    fileprivate static var webSocketURL: Self {
        Self(dependsOn: .scheme) { webSocket in
            webSocket.isOpened == false ? UsageError.withoutHint("requires a ws:// or wss:// URL") : nil
        }
    }
}

extension WebSocketArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--binary",
            summary: "Send and write binary messages without line ends",
            details: """
                Standard input is sent in binary messages as it arrives, and all messages are written without a line \
                end. Without this option, binary messages are not shown.
                """,
            requires: .webSocketURL,
            effect: .flag(\.isBinary, sets: true)
        )

        Option(
            "--max-messages",
            summary: "End after NUMBER messages, events or JSON lines",
            details: """
                Closes the connection of a WebSocket, an event stream or JSON lines, and ends successfully if the \
                messages meet the expectations, such as `--expect-json`. Of an event stream, the events that `--event` \
                selects are counted. With `--follow-next`, the messages of all pages are counted.
                """,
            excludes: ["--input"],
            effect: .argument("NUMBER", sets: \.maximumMessages)
        )

        Option(
            "--linger",
            summary: "Silence before closing after standard input",
            details: """
                After the end of standard input, the connection is closed when no message was sent or received for this time \
                (default: 1); pings and pongs do not count. With 0 it is closed at once: many servers then drop their last \
                responses. With `--max-messages`, the end of the input closes nothing.
                """,
            requires: .webSocketURL,
            effect: .argument("SECONDS", sets: \.linger)
        )

        Option(
            "--ping-interval",
            summary: "Send pings, and fail if one has no response",
            details: "The run fails if nothing was received when the next ping is due. The default is no pings.",
            requires: .webSocketURL,
            effect: .argument("SECONDS", sets: \.pingInterval)
        )
    }
}
