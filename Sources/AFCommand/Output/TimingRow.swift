/// The timings of one hop: one request and its response. All times are seconds.
struct TimingRow: Hashable, Sendable {
    /// What was asked for, such as `GET https://example.org/`. Sanitized when shown.
    var label: String
    /// When the hop began, counted from the beginning of the first.
    var start: Double

    // The phases, one after the other; 0 for those that a reused connection spares.
    var lookup = 0.0
    var connect = 0.0
    var tls = 0.0
    /// From the connection to the first byte of the response; sending the request is part of it.
    var waiting = 0.0
    var transfer = 0.0
    var total: Double

    /// The status of the response; `nil` when none came.
    var status: Int?
    /// `HTTP/1.1`, `HTTP/2`.
    var protocolName: String?
    /// Whether the connection had served a request before.
    var isReused = false
    /// 0 for the first attempt.
    var retry = 0

    // Sizes in bytes, as they went over the wire.
    var requestHeadSize: Int64 = 0
    var requestBodySize: Int64 = 0
    var responseHeadSize: Int64 = 0
    var responseBodySize: Int64 = 0

    /// Address and port of the server or proxy.
    var remoteEndpoint: String?
    /// This machine's own.
    var localEndpoint: String?
    var tlsVersion: String?
    var tlsCipher: String?

    /// Body bytes per second while the response came in; `nil` when that took no measurable time.
    var receivingRate: Double? { transfer > 0 && responseBodySize > 0 ? Double(responseBodySize) / transfer : nil }

    /// Body bytes per second from the connection to the first byte of the response.
    var sendingRate: Double? { waiting > 0 && requestBodySize > 0 ? Double(requestBodySize) / waiting : nil }
}

/// A part of a hop.
enum TimingPhase: CaseIterable {
    case lookup, connect, tls, waiting, transfer

    var name: String {
        switch self {
        case .lookup: "lookup"
        case .connect: "connect"
        case .tls: "TLS"
        case .waiting: "waiting"
        case .transfer: "transfer"
        }
    }

    /// Told apart without colours too: work fills the cell, waiting is a line.
    var mark: String {
        switch self {
        case .lookup: "░"
        case .connect: "▒"
        case .tls: "▓"
        case .waiting: "─"
        case .transfer: "█"
        }
    }

    /// The mark where the terminal's locale knows only ASCII.
    var asciiMark: String {
        switch self {
        case .lookup: "."
        case .connect: "+"
        case .tls: "%"
        case .waiting: "-"
        case .transfer: "#"
        }
    }

    func duration(in row: TimingRow) -> Double {
        switch self {
        case .lookup: row.lookup
        case .connect: row.connect
        case .tls: row.tls
        case .waiting: row.waiting
        case .transfer: row.transfer
        }
    }

    func style(in palette: Palette) -> TextStyle {
        switch self {
        case .lookup: palette.lookup
        case .connect: palette.connect
        case .tls: palette.tls
        case .waiting: palette.waiting
        case .transfer: palette.transfer
        }
    }
}
