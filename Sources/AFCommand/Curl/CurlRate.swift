/// The maximum frequency of transfers: curl's `--rate`.
struct CurlRate: Equatable, Sendable {
    /// The minimum time between the starts of two transfers.
    let interval: Duration

    /// Parses `NUMBER`, which is per hour, `NUMBER/UNIT` or `NUMBER/COUNT UNIT`: `2/s`, `30/m`, `3/15s`.
    init(argument: String) throws(UsageError) {
        let (transfers, period) = argument.halves(around: "/") ?? (argument[...], "h")
        let length = period.dropLast()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]
        guard let number = try? CurlNumber.number(transfers, from: 1),
            let unit = period.last.flatMap({ units[$0] }), length.isEmpty || length.isDecimal,
            let count = length.isEmpty ? 1 : Int64(length), (1...1_000_000).contains(count)
        else { throw UsageError("expected a rate such as 2/s, 30/m or 3/15s, got '\(argument)'") }
        interval = .milliseconds(unit * count * 1000 / number)
    }

    /// Returns the time to wait before the next transfer.
    ///
    /// - Parameter start: The start of the last one.
    func pause(after start: ContinuousClock.Instant, now: ContinuousClock.Instant = .now) -> Duration {
        max(.zero, start + interval - now)
    }
}
