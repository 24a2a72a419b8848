/// The options that concern the complete command.
extension CurlCommandLine {
    /// Whether no request is sent.
    var isDryRun: Bool { isOffline || printedStyle != nil }
    var runsInParallel: Bool { groups.contains(where: \.runsInParallel) }
    var connectsAtOnce: Bool { groups.contains(where: \.connectsAtOnce) }
    var parallelLimit: Int? { groups.compactMap(\.parallelLimit).last }
    var failsEarly: Bool { groups.contains(where: \.failsEarly) }
    var rate: CurlRate? { groups.compactMap(\.rate).last }
}
