internal import AFHTTP

/// The options for expectations, as typed.
struct ValidationArguments: OptionValues {
    /// Whether the status is checked; `nil` if neither option was typed; the default is `true`.
    var checksStatus: Bool?
    var expectedStatus: StatusList?
    var expectedTypes: [MediaType] = []
    var expectedHeaders: [HeaderExpectation] = []
    var expectedValues: [JSONExpectation] = []
    var budgets: [TimeBudget] = []
    var maximumFileSize: ByteCount?
}

extension MediaType: ArgumentValue {
    init(argument: String) throws(UsageError) {
        guard let type = MediaType(parsing: argument) else {
            throw UsageError("expected a media type such as application/json, got '\(argument)'")
        }
        self = type
    }
}

extension ValidationArguments {
    /// The options that set these values, in the order of the help.
    @OptionList<Self> static var options: [Option<Self>] {
        Option(
            "--check-status",
            summary: "Exit 3, 4 or 5 for 3xx, 4xx, 5xx (the default)",
            details:
                "304 is a success, and statuses of 600 and more count as 5xx. --expect-status decides in its place.",
            effect: .flag(\.checksStatus, sets: true)
        )

        Option(
            "--no-check-status",
            summary: "Exit with 0 whatever the status",
            effect: .flag(\.checksStatus, sets: false)
        )

        Option(
            "--expect-status",
            summary: "Fail unless the status is in LIST: 200-299,304",
            effect: .argument("LIST", sets: \.expectedStatus)
        )

        Option(
            "--expect-type",
            summary: "Fail unless the body is of this media type",
            details: "`*` stands for anything: `image/*`. Several are separated by commas; one of them must match.",
            effect: .list("TYPE", appendsTo: \.expectedTypes)
        )

        Option(
            "--expect-header",
            summary: "Fail unless there is this header: 'Name[: value]'",
            details: "Where it came several times, one of the values must be this one. May be repeated; all must hold.",
            effect: .argument("HEADER", appendsTo: \.expectedHeaders)
        )

        Option(
            "--expect-json",
            summary: "Fail unless the JSON body holds PATH[==VALUE]",
            details: """
                PATH is `a[b][0]`, as in items, or `a.b[0]`; without one the whole body is meant. VALUE is JSON and \
                compared by what it means: 1 is 1.0, and members may stand in any order. The body is kept in memory \
                for it, up to 256 MiB or what `--max-formatted` says. May be repeated; all must hold.
                """,
            effect: .argument("EXPECTATION", appendsTo: \.expectedValues)
        )

        Option(
            "--budget",
            summary: "Fail when it takes longer: ttfb=200ms, total=2s",
            details: """
                `dns`, `connect` and `tls` are what looking up names, connecting and shaking hands took, all redirects \
                together; `ttfb` is the time to the first byte of the response, and `total` the time of the whole run, \
                retries included. A duration is in seconds, or has `ms`, `s`, `m` or `h` behind it: `total=5` is five \
                seconds. Several are separated by commas. A file that comes too late is stored all the same.
                """,
            effect: .list("PHASE=DURATION", appendsTo: \.budgets)
        )

        Option(
            "--max-filesize",
            summary: "Fail when the body is longer than BYTES: 10M",
            effect: .argument("BYTES", sets: \.maximumFileSize)
        )
    }
}
