internal import AFHTTP

/// The options for expectations, as typed.
struct ValidationArguments: Equatable, Sendable {
    /// The check of the status; `nil` if no option was typed; the default is ``StatusCheck/all``.
    var statusCheck: StatusCheck?
    var expectedStatus: StatusList?
    var expectedTypes: [MediaType] = []
    var expectedHeaders: [HeaderExpectation] = []
    var expectedValues: [JSONExpectation] = []
    var expectedBodies: [BodyExpectation] = []
    /// The values of a body that ends a run at once.
    var fatalValues: [JSONExpectation] = []
    var budgets: [TimeBudget] = []
    /// The days for which the certificates must be valid.
    var certificateDays: Int?
    var maximumFileSize: ByteCount?
}

/// The statuses that are failures.
enum StatusCheck: String, ArgumentValue, CaseIterable {
    /// 3xx, 4xx and 5xx
    case all
    /// 4xx and 5xx
    case errors
    case none

    /// Whether a status is a failure.
    func fails(_ status: Int) -> Bool {
        switch self {
        case .all: status >= 300
        case .errors: status >= 400
        case .none: false
        }
    }
}

extension MediaType: ArgumentValue {
    init(argument: String) throws(UsageError) {
        guard let type = MediaType(parsing: argument) else {
            throw UsageError("expected a media type such as application/json, got '\(argument)'")
        }
        self = type
    }
}

extension ArgumentSecrets {
    /// An expectation of a header field with a secret value.
    fileprivate static let expectedHeader = Self { argument in
        let value = ArgumentSecrets.header.ranges(argument)
        guard value.isEmpty, (try? HeaderExpectation(argument: argument))?.holdsSecret == true else { return value }
        return [0..<argument.utf8.count]
    }

    /// An expectation of a secret value.
    fileprivate static let expectedValue = Self { argument in
        let isSecret = (try? JSONExpectation(argument: argument))?.holdsSecret == true
        return isSecret ? [0..<argument.utf8.count] : []
    }
}

extension ValidationArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--check-status",
            summary: "Exit with 3, 4 or 5 for 3xx, 4xx, 5xx (default)",
            details: """
                304 is a success, and statuses of 600 and more count as 5xx. With `--check-status=errors`, 3xx is a \
                success, too. `--expect-status` takes precedence.
                """,
            isRare: true,
            effect: .optionalArgument("CHECK", sets: \.statusCheck, orElse: .all)
        )

        Option(
            "--no-check-status",
            summary: "Exit with 0 for any status",
            effect: .flag(\.statusCheck, sets: StatusCheck.none)
        )

        Option(
            "--expect-status",
            summary: "Fail unless the status is in LIST: 200-299,304",
            details: """
                Statuses, ranges and classes such as `2xx`, separated by commas. A `!` excludes them: `!5xx` is any \
                other status, and `2xx,!204` any status of 200 to 299 except 204.
                """,
            isMissingInCurl: true,
            effect: .argument("LIST", sets: \.expectedStatus)
        )

        Option(
            "--expect-type",
            summary: "Fail unless the body has this media type",
            details: "`*` matches anything: `image/*`. Separate several types with commas; one of them must match.",
            isMissingInCurl: true,
            effect: .list("TYPE", appendsTo: \.expectedTypes)
        )

        Option(
            "--expect-header",
            summary: "Fail unless this header exists: 'Name[: value]'",
            details: """
                `Name ~ REGEX` searches the value for a regular expression as in `--expect-body`, and `absent Name` \
                allows no such field. One of the values of a repeated field must match. May be repeated; all \
                expectations must be met.
                """,
            isMissingInCurl: true,
            secrets: .expectedHeader,
            effect: .argument("HEADER", appendsTo: \.expectedHeaders)
        )

        Option(
            "--expect-json",
            summary: "Fail unless JSON has PATH, or 'PATH OP VALUE'",
            details: """
                PATH is `a[b][0]`, as in items, or `a.b[0]`; `[-1]` is the last element, and `.` the complete body. \
                Without OP, any value is sufficient; `absent PATH` requires that there is none.

                `==` and `!=` compare with VALUE, which is JSON, by meaning: 1 equals 1.0, and members may have any \
                order. A word that is not JSON, such as `up` or `1.4.2`, is a string. `in [200, up]` requires one of \
                several values. `<`, `<=`, `>` and `>=` compare numbers with numbers and strings with strings. `~` \
                searches a string for a regular expression as in `--expect-body`: `~ ^1\\.`, or with doubled backslashes \
                in a JSON string: `~ "^1\\\\."`. `contains` is true of an array with the element VALUE, a string with \
                the part VALUE, and an object with a member named VALUE. `type` compares the type: `object`, `array`, \
                `string`, `number`, `integer`, `boolean` or `null`. A backslash before an operator in a name escapes it.

                `length(PATH)` is the number of elements, members or characters: `length(items) > 0`. These accept \
                paths to several values, as in `--filter`: `any([].id) == 7` requires one value that meets the \
                condition, `all([].id) > 0` all of them, and `count(..error) == 0` their number; that of a path to an \
                array is the number of its elements. With `all`, each element must have the member.

                In JSON lines and event streams, each message must meet the expectation; events whose data is not \
                JSON are skipped. `any(PATH)` then requires one value in any message, and `count(PATH)` counts those \
                of all messages: `count(.) >= 3`. An event stream ends as soon as further messages cannot change the \
                result, and JSON lines do so with `--max-messages`, `--wait` and `--retry-on expect`.

                The body is buffered, up to 256 MiB or `--max-formatted`. May be repeated; all expectations \
                must be met.
                """,
            isMissingInCurl: true,
            secrets: .expectedValue,
            effect: .argument("EXPECTATION", appendsTo: \.expectedValues)
        )

        Option(
            "--expect-body",
            summary: "Fail unless the body has TEXT or matches /REGEX/",
            details: """
                The decoded body is searched as text; it is buffered as for `--expect-json`. REGEX has the syntax of \
                RE2: that of Perl without look-around and back references. At its start, `(?i)` ignores case, `(?m)` \
                makes `^` and `$` match at the ends of lines, and `(?s)` makes `.` match line breaks. `$` also matches \
                before a line feed at the end of the body, and `\\z` only at the end itself. `\\d`, `\\w` and \
                `\\b` concern ASCII; `\\pL` matches any letter. May be repeated; all expectations must be met.
                """,
            isMissingInCurl: true,
            effect: .argument("TEXT", appendsTo: \.expectedBodies)
        )

        Option(
            "--fail-if",
            summary: "Fail if the JSON body meets EXPECTATION",
            details: """
                EXPECTATION has the syntax of `--expect-json`. A response that meets it is final: `--wait` and \
                `--retry-on expect` do not repeat the request any more, and the exit status is 14: `--fail-if \
                'state==failed'`. A body that is not JSON does not meet it. One message of JSON lines or of an event \
                stream is sufficient. May be repeated; one of the expectations is sufficient.
                """,
            isMissingInCurl: true,
            secrets: .expectedValue,
            effect: .argument("EXPECTATION", appendsTo: \.fatalValues)
        )

        Option(
            "--budget",
            summary: "Fail if a phase takes longer: ttfb=200ms, total=2s",
            details: """
                `dns`, `connect` and `tls` are the times for name lookup, connection and TLS handshake, redirects \
                included; `ttfb` is the time to the first byte of the response, and `total` the time of the complete \
                run, retries included. Durations are in seconds or have a unit, `ms`, `s`, `m` or `h`: `total=5` is \
                five seconds. Separate several budgets with commas. A file is saved even if it took too long.
                """,
            isMissingInCurl: true,
            effect: .list("PHASE=DURATION", appendsTo: \.budgets)
        )

        Option(
            "--expect-cert-days",
            summary: "Fail if a certificate expires within NUMBER days",
            details: """
                Checks the server's certificate and the intermediate ones that it sends, of the final response and of \
                redirects that were followed. An expired certificate already fails the verification. If only this \
                expectation fails, the file is still saved. `--cert-info` shows the certificates.
                """,
            isMissingInCurl: true,
            effect: .argument("NUMBER", sets: \.certificateDays)
        )

        Option(
            "--max-filesize",
            summary: "Fail if the body is longer than BYTES: 10M",
            curl: [CurlSpelling(hasZeroAsDefault: true)],
            effect: .argument("BYTES", sets: \.maximumFileSize)
        )
    }
}
