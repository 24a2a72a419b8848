internal import AFFormatting

/// The metrics of a run: its duration on the first line, then a block for each hop.
struct MetaView {
    let rows: [TimingRow]
    /// The seconds of the run.
    let elapsed: Double
    let palette: Palette?

    init(rows: [TimingRow], elapsed: Double, palette: Palette? = nil) {
        self.rows = rows
        self.elapsed = elapsed
        self.palette = palette
    }

    /// Returns the lines with line feeds; empty without rows.
    func render() -> String {
        guard !rows.isEmpty else { return "" }
        let elapsed = line("Elapsed time", "\(HumanUnits.decimal(elapsed, places: 4))s", columns: 0)
        let blocks = rows.map { (rows.count > 1 ? title(of: $0) : "") + figures(of: $0) }
        return elapsed + (rows.count > 1 ? "\n" : "") + blocks.joined(separator: "\n")
    }

    private func title(of row: TimingRow) -> String {
        let status = row.status.map { ["\($0)"] } ?? []
        let text = ([Sanitizer.line(row.label)] + status).joined(separator: " ")
        return (palette?.label.applied(to: text) ?? text) + "\n"
    }

    private func figures(of row: TimingRow) -> String {
        let entries: [(String, String?)] = [
            ("Name lookup", phase(row.lookup)),
            ("Connect", row.isReused ? "connection reused" : phase(row.connect)),
            ("TLS handshake", phase(row.tls)),
            ("Waiting", phase(row.waiting)),
            ("Transfer", phase(row.transfer)),
            // The elapsed time is that of the run.
            ("Total", rows.count > 1 ? HumanUnits.duration(row.total) : nil),
            ("Sent", size(body: row.requestBodySize, head: row.requestHeadSize, rate: row.sendingRate)),
            ("Received", size(body: row.responseBodySize, head: row.responseHeadSize, rate: row.receivingRate)),
            ("Protocol", row.protocolName),
            ("Remote address", row.remoteEndpoint),
            ("Local address", row.localEndpoint),
            ("TLS", security(of: row)),
            ("Retry", row.retry > 0 ? "\(row.retry)" : nil),
        ]
        return entries.compactMap { name, value in value.map { line(name, $0, columns: 16) } }.joined()
    }

    private func phase(_ seconds: Double) -> String? { seconds > 0 ? HumanUnits.duration(seconds) : nil }

    private func size(body: Int64, head: Int64, rate: Double?) -> String? {
        let header = "\(HumanUnits.bytes(head)) header"
        guard body > 0 else { return head > 0 ? header : nil }
        let speed = rate.map { ", \(HumanUnits.rate($0))" } ?? ""
        return "\(HumanUnits.bytes(body)) body + \(header)\(speed)"
    }

    private func security(of row: TimingRow) -> String? {
        let parts = [row.tlsVersion, row.tlsCipher].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func line(_ name: String, _ value: String, columns: Int) -> String {
        let name = "\(name):"
        let padding = String(repeating: " ", count: max(1, columns - name.count))
        return (palette?.fieldName.applied(to: name) ?? name) + padding + Sanitizer.line(value) + "\n"
    }
}
