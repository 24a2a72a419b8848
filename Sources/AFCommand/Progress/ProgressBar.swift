internal import AFFormatting

/// The progress line of a transfer on a terminal.
///
/// Byte counts have decimal units (`kB`, `MB`). The value has no clock and no terminal: its owner provides samples,
/// calls ``shouldDraw(at:)`` and writes ``line(columns:)`` over the previous line.
struct ProgressBar: Sendable {
    /// The minimum seconds between redraws.
    static let interval = 0.1
    private static let barColumns = 10...40

    private var name: String
    private let isUTF8: Bool
    private let palette: Palette?
    private var estimator = RateEstimator()
    private var lastDrawn: (time: Double, phase: ProgressSample.Phase)?

    /// Creates a bar.
    ///
    /// - Parameter name: The file name; sanitized here.
    init(name: String, isUTF8: Bool = true, palette: Palette? = nil) {
        self.name = Sanitizer.line(name)
        self.isUTF8 = isUTF8
        self.palette = palette
    }

    /// Sets the file's name, which may differ from the URL's.
    mutating func rename(to name: String) { self.name = Sanitizer.line(name) }

    mutating func update(_ sample: ProgressSample) {
        estimator.update(sample)
    }

    /// Whether to redraw: enough time has passed since the last `true`, or another phase has begun.
    mutating func shouldDraw(at now: Double) -> Bool {
        guard let phase = estimator.latest?.phase else { return false }
        if let lastDrawn, lastDrawn.phase == phase, now - lastDrawn.time < Self.interval { return false }
        lastDrawn = (now, phase)
        return true
    }

    /// Returns the line without line end, of at most the given width.
    func line(columns: Int) -> String {
        guard let sample = estimator.latest else { return "" }
        var details = self.details(of: sample)
        let shortest = min(name.columnCount, 12)
        // The last detail is the least important one.
        while details.count > 1, shortest + details.columns > columns { details.removeLast() }
        let nameColumns = min(name.columnCount, max(shortest, columns / 3), max(0, columns - details.columns))
        let shortName = name.shortened(toColumns: nameColumns, isUTF8: isUTF8)
        let available = columns - shortName.columnCount - details.columns - 2
        var parts = [palette?.label.applied(to: shortName) ?? shortName]
        if let fraction = sample.fraction, sample.phase != .done, sample.phase != .waiting,
            available >= Self.barColumns.lowerBound
        {
            parts.append(bar(fraction, columns: min(available, Self.barColumns.upperBound)))
        }
        let line = (parts + details).joined(separator: "  ")
        let visible = shortName.columnCount + details.columns
        return visible <= columns ? line : details.joined(separator: "  ").shortened(toColumns: columns, isUTF8: isUTF8)
    }

    /// Returns the details, the most important one first.
    private func details(of sample: ProgressSample) -> [String] {
        switch sample.phase {
        case .sending, .receiving:
            [
                sample.fraction.map { HumanUnits.decimal(($0 * 1000).rounded(.down) / 10, places: 1) + " %" },
                amount(of: sample),
                estimator.rate.map(HumanUnits.rate),
                sample.total == nil
                    ? HumanUnits.clock(sample.now - estimator.start)
                    : estimator.remaining.map { "ETA \(HumanUnits.clock($0))" },
            ].compactMap(\.self)
        case .waiting:
            [
                "waiting for response",
                HumanUnits.clock(sample.now - estimator.phaseStart),
                "\(HumanUnits.bytes(sample.bytes)) sent",
            ]
        case .done: [summary(of: sample)]
        }
    }

    private func amount(of sample: ProgressSample) -> String {
        let bytes = HumanUnits.bytes(sample.bytes)
        return sample.total.map { "\(bytes) / \(HumanUnits.bytes($0))" } ?? bytes
    }

    /// Returns the size, the duration and the rate of a completed transfer.
    mutating func finalSummary(of sample: ProgressSample) -> String {
        estimator.update(sample)
        return summary(of: sample)
    }

    private func summary(of sample: ProgressSample) -> String {
        let rate = estimator.averageRate.map { ", \(HumanUnits.rate($0))" } ?? ""
        return "\(sample.sum) in \(HumanUnits.duration(sample.now - estimator.start))\(rate)\(sample.origin)"
    }

    private func bar(_ fraction: Double, columns: Int) -> String {
        let filled = Int(fraction * Double(columns))
        let (done, open) = isUTF8 ? ("━", "─") : ("#", "-")
        let text = String(repeating: done, count: filled)
        return (palette?.transfer.applied(to: text) ?? text) + String(repeating: open, count: columns - filled)
    }
}

extension [String] {
    /// The total columns, with two spaces before each detail.
    fileprivate var columns: Int { reduce(0) { $0 + 2 + $1.columnCount } }
}
