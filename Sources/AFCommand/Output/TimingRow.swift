internal import AFFormatting

/// The timings of a hop: one request and its response. All times are in seconds.
struct TimingRow: Hashable, Sendable {
    /// The request, such as `GET https://example.org/`. Sanitized for display.
    var label: String
    /// The start of the hop, relative to the first.
    var start: Double

    // The phases in sequence; 0 if a reused connection skips one.
    var lookup = 0.0
    var connect = 0.0
    var tls = 0.0
    /// The time from the connection to the first byte of the response; includes sending the request.
    var waiting = 0.0
    var transfer = 0.0
    var total: Double

    /// The status of the response; `nil` if no response was received.
    var status: Int?
    /// The protocol: `HTTP/1.1`, `HTTP/2`.
    var protocolName: String?
    /// Whether the connection was reused.
    var isReused = false
    /// The number of the retry; 0 for the first attempt.
    var retry = 0

    // Sizes in bytes on the wire
    var requestHeadSize: Int64 = 0
    var requestBodySize: Int64 = 0
    var responseHeadSize: Int64 = 0
    var responseBodySize: Int64 = 0

    /// The address and port of the server or proxy.
    var remoteEndpoint: String?
    /// The local address and port.
    var localEndpoint: String?
    var tlsVersion: String?
    var tlsCipher: String?

    /// The received body bytes per second; `nil` if the time was too short to measure.
    var receivingRate: Double? { transfer > 0 && responseBodySize > 0 ? Double(responseBodySize) / transfer : nil }

    /// The sent body bytes per second, from the connection to the first byte of the response.
    var sendingRate: Double? { waiting > 0 && requestBodySize > 0 ? Double(requestBodySize) / waiting : nil }
}

/// A phase of a hop.
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

    /// The mark in the bar, distinct without colors: filled for activity, a line for waiting.
    var mark: String {
        switch self {
        case .lookup: "░"
        case .connect: "▒"
        case .tls: "▓"
        case .waiting: "─"
        case .transfer: "█"
        }
    }

    /// The mark for a locale without UTF-8.
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
