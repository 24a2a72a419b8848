/// The options for retries, as typed.
struct RetryArguments: Equatable, Sendable {
    var limit: Int?
    var delay: Seconds?
    var totalTime: Seconds?
    var conditions: RetryConditions?
    var includesUnsafe = false
    /// The time in which the server must become reachable and meet the expectations.
    var wait: Seconds?
    /// The number of times that the request is sent; `nil` for once.
    var repetitions: Int?
}

extension OptionRequirement<RetryArguments> {
    /// There may be retries.
    fileprivate static var retry: Self {
        Self { retry in
            guard retry.limit == nil, retry.wait == nil, retry.conditions?.failures.contains(.expect) != true else {
                return nil
            }
            return UsageError("requires --retry or --wait", hint: "add --retry 3")
        }
    }

    /// A request may be sent again.
    fileprivate static var repetition: Self {
        Self { $0.repetitions == nil ? retry.failure($0) : nil }
    }
}

extension RetryArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--retry",
            summary: "Maximum number of retries",
            details: """
                The delays start at about one second, increase and are randomized. The server's `Retry-After`, or the \
                reset of an exhausted rate limit (`RateLimit`, `RateLimit-Reset`, `X-RateLimit-Reset`), is honored up \
                to `--retry-max-time`, or up to an hour by default. If the requested delay is longer, the response is \
                final. Only idempotent requests (RFC 9110 §9.2.2) and those with an `Idempotency-Key` field are \
                retried, and only if no part of a body was shown. A download to a file is resumed.

                An event stream that is shown is continued after a lost connection, with `Last-Event-ID` and after the \
                delay that its `retry` field sets; a stream whose events have IDs, or with a `retry` field, also after \
                its end. 204 ends it.
                """,
            effect: .argument("NUMBER", sets: \.limit)
        )

        Option(
            "--wait",
            summary: "Repeat until the response is as expected",
            details: """
                Repeats the request for DURATION until the server is reachable, the status is a success and the response meets all \
                expectations, such as `--expect-json 'state==done'`; it is shown only then, or at the end. `60` and `60s` \
                are a minute. The delays increase from 0.1 to 1 second; `--retry-delay` sets another one, and `Retry-After` is \
                honored. A message reports each reason once. `--fail-if` ends the wait early. Only idempotent \
                requests are repeated, unless `--retry-unsafe` is set. `--timeout` is at most DURATION, and a last response that \
                is not accepted yet ends after DURATION again.
                """,
            isMissingInCurl: true,
            isForWebSockets: false,
            effect: .argument("DURATION", sets: \.wait)
        )

        Option(
            "--retry-delay",
            summary: "Delay between retries",
            requires: .retry,
            curl: [CurlSpelling(hasZeroAsDefault: true)],
            effect: .argument("SECONDS", sets: \.delay)
        )

        Option(
            "--retry-max-time",
            summary: "Time limit for starting a retry",
            isRare: true,
            requires: .retry,
            curl: [CurlSpelling(hasZeroAsDefault: true)],
            effect: .argument("SECONDS", sets: \.totalTime)
        )

        Option(
            "--retry-on",
            summary: "Statuses and failures to retry",
            details: """
                Statuses, ranges of statuses, and `lookup`, `connect`, `reset`, `timeout`, `truncated`, `expect`, `any`, \
                separated by commas. The default is 408,429,500,502,503,504,connect,reset,timeout,truncated. \
                `connect` includes `lookup`, and `any` all failures but `expect`. With `expect`, the request is repeated until the response meets all expectations, such as `--expect-json \
                'state=="done"'`; it is shown only then, or after the last retry. If LIST is only `expect`, the \
                default conditions apply, too. With `expect`, `--retry` is optional if `--retry-max-time` or \
                `--max-time` limits the time.
                """,
            requires: .retry,
            effect: .argument("LIST", sets: \.conditions)
        )

        Option(
            "--retry-unsafe",
            summary: "Also retry POST and PATCH",
            details: """
                A POST or PATCH on an HTTP/2 stream that the server refused is retried without it: it was not \
                processed. `--repeat` requires the option for these methods, too.
                """,
            requires: .repetition,
            curl: [.translated("retry-all-errors")],
            effect: .flag(\.includesUnsafe, sets: true)
        )

        Option(
            "--repeat",
            summary: "Send the request NUMBER times; show statistics",
            details: """
                Standard error has the number of requests, the failures by status, and the minimum, the median, the \
                95th percentile and the maximum of the times of the successful requests, from the start of each to the \
                last byte, with connecting. The requests share connections and run one after the other, or up to \
                `--parallel` at the same time. Responses are not shown, unless output is requested by name: `-b`, \
                `--filter`, `-w`. Of equal failures, the first one is explained. Expectations hold for each response, \
                `--max-time` limits each request, and `--report` has a line for each. The exit status is that of the \
                first failed request.

                As each request may have effects, a method that is not idempotent, such as POST, also requires \
                `--retry-unsafe`, unless the request has an `Idempotency-Key`.
                """,
            scope: .commandLine,
            excludes: [
                "--input", "--output", "--download", "--follow-next", "--next", "--offline", "--curl", "--curl-long",
                "--header-file",
            ],
            isMissingInCurl: true,
            isForWebSockets: false,
            effect: .argument("NUMBER", parsing: Int.parser(in: 1...1_000_000), sets: \.repetitions)
        )
    }
}
