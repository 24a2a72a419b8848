/// The options for retries, as typed.
struct RetryArguments: OptionValues {
    var limit: Int?
    var delay: Seconds?
    var totalTime: Seconds?
    var conditions: RetryConditions?
    var includesUnsafe = false
}

extension RetryArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--retry",
            summary: "Try up to NUMBER times again",
            details: """
                The waits grow from a second and are spread at random; a `Retry-After` of the server, seconds or a \
                date, is obeyed up to `--retry-max-time`, without that up to an hour; where it asks for more, the \
                response is the answer. Only requests that may safely be repeated are (RFC 9110 §9.2.2), and only \
                while nothing of a body was shown; into a file another try goes on where the last one stopped.
                """,
            effect: .argument("NUMBER", sets: \.limit)
        )

        Option(
            "--retry-delay",
            summary: "Wait SECONDS between tries",
            effect: .argument("SECONDS", sets: \.delay)
        )

        Option(
            "--retry-max-time",
            summary: "Start no further try SECONDS after the first",
            effect: .argument("SECONDS", sets: \.totalTime)
        )

        Option(
            "--retry-on",
            summary: "Retry after these statuses and failures",
            details: """
                Statuses, ranges of them, and `connect`, `reset`, `timeout`, `truncated`, separated by commas. \
                The default is 408,429,500,502,503,504,connect,reset,timeout,truncated.
                """,
            effect: .argument("LIST", sets: \.conditions)
        )

        Option(
            "--retry-unsafe",
            summary: "Retry POST and PATCH too",
            effect: .flag(\.includesUnsafe, sets: true)
        )
    }
}
