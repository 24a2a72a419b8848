/// The options that concern the complete command.
extension CurlCommandLine {
    /// Whether no request is sent.
    var isDryRun: Bool { isOffline || printedStyle != nil }
    var runsInParallel: Bool { groups.contains(where: \.runsInParallel) }
    var connectsAtOnce: Bool { groups.contains(where: \.connectsAtOnce) }
    var parallelLimit: Int? { groups.compactMap(\.parallelLimit).last }
    var failsEarly: Bool { groups.contains(where: \.failsEarly) }
    var rate: CurlRate? { groups.compactMap(\.rate).last }

    /// Whether the file of a transfer may be synced while the next one is sent: only their outputs depend on the order.
    var savesIndependently: Bool {
        !isDryRun && !failsEarly && rate == nil && groups.allSatisfy(\.savesIndependently)
    }
}
