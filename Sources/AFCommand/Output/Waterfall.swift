internal import AFFormatting

/// A chart of the phases of every hop on a common time axis, with the details of its connection.
///
/// ```
///                             0 ms       50 ms      100 ms
///  GET http://example.org/    301 ░▒────█                         40.2 ms
///    HTTP/1.1, 192.0.2.7:80
///  GET https://example.org/   200        ░░▒▒▒▓▓▓▓────────███     91.7 ms
///    HTTP/2, 192.0.2.7:443, TLSv1.3, received 1.2 MB at 30.9 MB/s
/// ```
struct Waterfall {
    let rows: [TimingRow]
    /// The maximum number of columns per line.
    let width: Int
    /// Whether the terminal's locale is UTF-8; otherwise the marks are ASCII.
    let isUTF8: Bool
    let palette: Palette?

    private static let statusColumns = 3
    private static let durationColumns = 9
    /// The minimum width of bars: otherwise the label is on a separate line.
    private static let minimumBarColumns = 24

    init(rows: [TimingRow], width: Int, isUTF8: Bool = true, palette: Palette? = nil) {
        self.rows = rows
        self.width = max(width, 40)
        self.isUTF8 = isUTF8
        self.palette = palette
    }

    /// Returns the lines with line feeds; empty without rows.
    func render() -> String {
        guard !rows.isEmpty else { return "" }
        return ([axis] + rows.flatMap(lines) + [legend]).map { $0.trimmingTrailingSpaces + "\n" }.joined()
    }

    private var isStacked: Bool { labelledBarColumns < Self.minimumBarColumns }

    private var labelColumns: Int {
        min(rows.map { label(of: $0).columnCount }.max() ?? 0, max(width * 2 / 5, 16))
    }

    private var labelledBarColumns: Int { width - labelColumns - Self.statusColumns - Self.durationColumns - 4 }

    private var barColumns: Int {
        isStacked ? width - Self.statusColumns - Self.durationColumns - 3 : labelledBarColumns
    }

    /// The space to the left of the bars.
    private var margin: String {
        String(repeating: " ", count: (isStacked ? 0 : labelColumns + 1) + Self.statusColumns + 1)
    }

    private var end: Double { max(rows.map { $0.start + $0.total }.max() ?? 0, 1e-6) }

    /// Returns the column of a point in time.
    private func column(of time: Double) -> Int {
        min(max(Int((time / end * Double(barColumns)).rounded()), 0), barColumns)
    }

    /// The labeled times of the axis: round values with enough space between them.
    private var ticks: [(column: Int, text: String)] {
        let maximumCount = max(1, barColumns / 10)
        let step =
            (-7...7).lazy
            .flatMap { power in [1.0, 2, 5].map { $0 * powerOfTen(power) } }
            .first { end / $0 <= Double(maximumCount) } ?? end
        return (0...Int(end / step)).map { (column(of: Double($0) * step), tickText(Double($0) * step)) }
    }

    private func tickText(_ time: Double) -> String {
        if end < 0.01 { return "\(HumanUnits.decimal(time * 1000, places: 1)) ms" }
        if end < 2 { return "\(HumanUnits.decimal(time * 1000, places: 0)) ms" }
        return "\(HumanUnits.decimal(time, places: end < 10 ? 1 : 0)) s"
    }

    private var axis: String {
        var text = ""
        for tick in ticks where tick.column >= text.columnCount && tick.column + tick.text.count <= barColumns + 10 {
            text = text.padded(toColumns: tick.column) + tick.text + " "
        }
        return margin + text
    }

    private func lines(of row: TimingRow) -> [String] {
        let label = label(of: row).shortened(toColumns: isStacked ? width : labelColumns, isUTF8: isUTF8)
        let status = row.status.map { painted("\($0)", palette?.status($0)) } ?? (isUTF8 ? "  –" : "  -")
        let duration = HumanUnits.duration(row.total).aligned(toColumns: Self.durationColumns)
        let bar = bar(of: row) + " " + duration
        let name = painted(label, palette?.label)
        let padding = String(repeating: " ", count: max(0, labelColumns - label.columnCount))
        let lines = isStacked ? [name, "\(status) \(bar)"] : ["\(name)\(padding) \(status) \(bar)"]
        let details = details(of: row)
        return details.isEmpty ? lines : lines + [details]
    }

    private func details(of row: TimingRow) -> String {
        // The last detail is the least important one.
        var details = [
            row.protocolName, row.remoteEndpoint, row.isReused ? "connection reused" : nil, row.tlsVersion,
            amount("received", row.responseBodySize, row.receivingRate),
            amount("sent", row.requestBodySize, row.sendingRate), row.tlsCipher,
        ].compactMap(\.self)
        while details.count > 1, details.joined(separator: ", ").columnCount > width - 2 { details.removeLast() }
        return details.isEmpty ? "" : "  " + Sanitizer.line(details.joined(separator: ", "))
    }

    private func amount(_ verb: String, _ bytes: Int64, _ rate: Double?) -> String? {
        guard bytes > 0 else { return nil }
        return "\(verb) \(HumanUnits.bytes(bytes))" + (rate.map { " at \(HumanUnits.rate($0))" } ?? "")
    }

    private func label(of row: TimingRow) -> String {
        let retry = row.retry > 0 ? " (retry \(row.retry))" : ""
        return Sanitizer.line(row.label) + retry
    }

    /// Returns the phases in their columns; without known phases the bar is as long as the hop.
    private func bar(of row: TimingRow) -> String {
        var text = String(repeating: " ", count: min(column(of: row.start), barColumns - 1))
        var used = text.count
        var time = row.start
        for phase in TimingPhase.allCases {
            time += phase.duration(in: row)
            let columns = column(of: time) - used
            guard columns > 0, phase.duration(in: row) > 0 else { continue }
            text += painted(repeating(phase, columns), palette.map(phase.style))
            used += columns
        }
        let rest = max(column(of: row.start + row.total), min(column(of: row.start), barColumns - 1) + 1) - used
        if rest > 0 {
            text += painted(repeating(.waiting, rest), palette?.waiting)
            used += rest
        }
        return text + String(repeating: " ", count: barColumns - used)
    }

    private func repeating(_ phase: TimingPhase, _ count: Int) -> String {
        String(repeating: isUTF8 ? phase.mark : phase.asciiMark, count: count)
    }

    private var legend: String {
        let phases = TimingPhase.allCases.filter { phase in rows.contains { phase.duration(in: $0) > 0 } }
        let texts = phases.map { painted(repeating($0, 1), palette.map($0.style)) + " " + $0.name }
        return margin + texts.joined(separator: "  ")
    }

    private func painted(_ text: String, _ style: TextStyle?) -> String { style?.applied(to: text) ?? text }
}

private func powerOfTen(_ exponent: Int) -> Double {
    (0..<abs(exponent)).reduce(1) { value, _ in exponent < 0 ? value / 10 : value * 10 }
}

extension String {
    fileprivate var trimmingTrailingSpaces: Substring {
        self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)]
    }
}
