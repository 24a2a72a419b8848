internal import AFCore
internal import AFFormatting
internal import AFHTTP
internal import Glibc
internal import Synchronization

/// The log of the traffic in curl's formats: `--verbose`, `--trace` and `--trace-ascii`.
final class CurlTrace: Sendable {
    enum Format: Equatable, Sendable {
        /// The headers and libcurl's messages, a sign before each line.
        case lines
        /// All data as text.
        case text
        /// All data as bytes and text.
        case bytes
    }

    /// The destination and the format of a log.
    enum Choice: Equatable, Sendable {
        /// - Parameter path: `-` is standard output, and `%` standard error.
        case file(_ path: String, Format)
    }

    private struct State {
        /// Whether the next text starts a line.
        var isAtLineStart = true
        /// Whether the last event was data, which is announced once.
        var isInData = false
    }

    private let format: Format
    private let output: any ByteOutput
    private let isForTerminal: Bool
    private let hasTime: Bool
    private let state = Mutex(State())

    /// Creates a log.
    ///
    /// - Parameters:
    ///   - isForTerminal: Whether control characters are escaped.
    ///   - hasTime: Whether the time precedes each line, as with `--trace-time`.
    init(_ format: Format, to output: any ByteOutput, isForTerminal: Bool, hasTime: Bool) {
        (self.format, self.output, self.isForTerminal, self.hasTime) = (format, output, isForTerminal, hasTime)
    }

    /// The observed kinds of events.
    static let kinds: Set<TransferEvent.Kind> = [
        .information, .requestHead, .responseHeadLine, .requestBody, .responseBody,
    ]

    /// Writes an event.
    func note(_ event: TransferEvent) {
        let text = state.withLock { format == .lines ? lines(event, &$0) : dump(event) }
        // There is nowhere to report that the log cannot be written.
        try? output.write(text)
    }

    // Lines

    private func lines(_ event: TransferEvent, _ state: inout State) -> String {
        let sign: String
        switch event.kind {
        case .information: sign = "* "
        case .requestHead: sign = "> "
        case .responseHeadLine: sign = "< "
        case .requestBody, .responseBody:
            guard !state.isInData else { return "" }
            state.isInData = true
            return "\(time)\(event.kind == .requestBody ? "}" : "{") [\(event.bytes.count) bytes data]\n"
        case .redirectBody, .certificates: return ""
        }
        state.isInData = false
        var text = ""
        var rest = event.bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
            let line = shown(rest[..<end], isMessage: event.kind == .information)
            text += (state.isAtLineStart ? time + sign : "") + line
            state.isAtLineStart = line.utf8.last == 0x0A
            rest = rest[end...]
        }
        return text
    }

    private func shown(_ bytes: ArraySlice<UInt8>, isMessage: Bool) -> String {
        let text = String(octets: bytes)
        if isMessage { return Self.message(bytes) + (bytes.last == 0x0A ? "\n" : "") }
        return isForTerminal ? Sanitizer.text(text) : text
    }

    /// Returns a message of libcurl without secrets.
    private static func message(_ bytes: some Collection<UInt8>) -> String {
        let line = String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
        return Sanitizer.line(DebugLogRedaction().apply(to: line))
    }

    // Dumps

    private func dump(_ event: TransferEvent) -> String {
        let title: String
        switch event.kind {
        case .information:
            return "\(time)== Info: \(Self.message(event.bytes))\n"
        case .requestHead: title = "=> Send header"
        case .responseHeadLine: title = "<= Recv header"
        case .requestBody: title = "=> Send data"
        case .responseBody: title = "<= Recv data"
        case .redirectBody, .certificates: return ""
        }
        let count = event.bytes.count
        let rows = format == .bytes ? hexadecimalRows(event.bytes) : textRows(event.bytes)
        return "\(time)\(title), \(count) bytes (0x\(String(count, radix: 16)))\n\(rows.joined())"
    }

    private func hexadecimalRows(_ bytes: [UInt8]) -> [String] {
        stride(from: 0, to: bytes.count, by: 16).map { start in
            let row = bytes[start..<min(start + 16, bytes.count)]
            let digits = row.map { $0.padded(to: 2, radix: 16) + " " }.joined()
            let blanks = String(repeating: "   ", count: 16 - row.count)
            return "\(start.padded(to: 4, radix: 16)): \(digits)\(blanks)\(row.map(\.printed).joined())\n"
        }
    }

    /// Returns rows of up to 64 characters; a line break ends a row and is not shown.
    private func textRows(_ bytes: [UInt8]) -> [String] {
        var (rows, start) = ([String](), 0)
        while start < bytes.count {
            let row = bytes[start..<min(start + 64, bytes.count)]
            let end = row.indices.first { bytes[$0...].starts(with: [0x0D, 0x0A]) } ?? row.endIndex
            rows.append("\(start.padded(to: 4, radix: 16)): \(bytes[start..<end].map(\.printed).joined())\n")
            start = bytes[end...].starts(with: [0x0D, 0x0A]) ? end + 2 : end
        }
        return rows
    }

    /// The local time with microseconds; empty without `--trace-time`.
    private var time: String {
        guard hasTime else { return "" }
        var (now, parts) = (timespec(), tm())
        clock_gettime(CLOCK_REALTIME, &now)
        localtime_r(&now.tv_sec, &parts)
        let fields = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { String(100 + $0).dropFirst() }
        return "\(fields.joined(separator: ":")).\(String(1_000_000 + now.tv_nsec / 1000).dropFirst()) "
    }
}

extension UInt8 {
    /// The character in a dump.
    fileprivate var printed: String { (0x20..<0x7F).contains(self) ? String(UnicodeScalar(self)) : "." }
}
