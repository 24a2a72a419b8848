internal import AFJSON
internal import Glibc

/// Formats a body by its announced kind, or by its first bytes if that is too general.
///
/// A binary body is replaced by a notice from the point of detection, unless it is written verbatim.
package struct BodyFormatter: BodyFormatting {
    /// The number of bytes that are examined if the kind is unknown.
    static let sampleSize = 1024

    private enum Stage {
        case sampling
        case showing
        case suppressed
    }

    private let kind: BodyKind
    private let presentation: BodyPresentation
    private let summary: @Sendable () -> String?
    private var stage: Stage
    private var formatter: any BodyFormatting
    private var sample: [UInt8] = []
    /// A formatter without output, which detects whether the sample is JSON.
    private var probe = JSONFormatter()
    private var isEmpty = true

    /// Whether the body was omitted because it is binary.
    package private(set) var isBinary = false

    /// Creates a formatter.
    ///
    /// - Parameter summary: Returns the second line of the notice in place of a binary body; `nil` for none.
    package init(
        kind: BodyKind, presentation: BodyPresentation, summary: @escaping @Sendable () -> String? = { nil }
    ) {
        self.kind = kind
        self.summary = summary
        self.presentation = presentation
        formatter = presentation.isVerbatim ? VerbatimFormatter() : presentation.formatter(for: kind)
        let isUndecided = kind == .unknown || (kind.mayHideJSON && presentation.showsStructure)
        stage = presentation.isVerbatim || !isUndecided ? .showing : .sampling
    }

    package var brokenOffset: Int? { formatter.brokenOffset }
    package var warning: String? { formatter.warning }

    package mutating func consume(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer)
        throws(OutputFailure)
    {
        guard !bytes.isEmpty else { return }
        switch stage {
        case .suppressed: return
        case .showing: try show(bytes, into: &buffer)
        case .sampling:
            var rest = bytes[...]
            while stage == .sampling, !rest.isEmpty {
                let taken = UnsafeRawBufferPointer(rebasing: nextOfSample(rest))
                sample.append(contentsOf: taken)
                try readAlong(taken)
                rest = rest.dropFirst(taken.count)
                if let decision = decision(isComplete: false) { try decide(decision, into: &buffer) }
            }
            try consume(UnsafeRawBufferPointer(rebasing: rest), into: &buffer)
        }
    }

    /// Returns the bytes to examine before the next decision: a line if the reader waits for each.
    private func nextOfSample(_ bytes: Slice<UnsafeRawBufferPointer>) -> Slice<UnsafeRawBufferPointer> {
        let next = bytes.prefix(Self.sampleSize - sample.count)
        guard presentation.isStreamed, let end = next.firstIndex(of: UInt8(ascii: "\n")) else { return next }
        return next[...end]
    }

    package mutating func finish(into buffer: inout OutputBuffer) throws(OutputFailure) {
        if stage == .sampling {
            try readAlong(nil)
            try decide(decision(isComplete: true) ?? kind, into: &buffer)
        }
        if stage == .showing { try formatter.finish(into: &buffer) }
    }

    /// Returns the kind that the sample shows; `nil` if more bytes are needed.
    ///
    /// Text is shown from the first byte that excludes JSON, so only the bytes up to there decide whether it is binary.
    private func decision(isComplete: Bool) -> BodyKind? {
        let firstVisible = sample.withoutMark.firstIndex { !$0.isJSONSpace }
        let mayBeJSON = sample.mayBeginJSON && probe.brokenOffset == nil
        if kind != .unknown, !mayBeJSON {
            let offset = sample.mayBeginJSON ? probe.brokenOffset : firstVisible
            return offset.flatMap { sample.indices.contains($0) ? sample[$0] : nil } == 0 ? .binary : kind
        }
        if sample.contains(0) { return .binary }
        let isCompleteLine = presentation.isStreamed && sample.last == UInt8(ascii: "\n") && firstVisible != nil
        guard isComplete || isCompleteLine || sample.count == Self.sampleSize else { return nil }
        if mayBeJSON, firstVisible != nil { return .json }
        return kind != .unknown ? kind : sample.isClearlyBinary ? .binary : .text
    }

    /// Passes bytes to the JSON probe.
    ///
    /// - Parameter bytes: The bytes; `nil` at the end of the body.
    private mutating func readAlong(_ bytes: UnsafeRawBufferPointer?) throws(OutputFailure) {
        guard sample.mayBeginJSON else { return }
        var nowhere = OutputBuffer(DiscardedOutput())
        if let bytes { try probe.consume(bytes, into: &nowhere) } else { try probe.finish(into: &nowhere) }
    }

    private mutating func decide(_ kind: BodyKind, into buffer: inout OutputBuffer) throws(OutputFailure) {
        formatter = presentation.formatter(for: kind)
        stage = .showing
        let bytes = sample
        sample = []
        if kind == .binary {
            if !bytes.isEmpty { try suppress(into: &buffer) }
            return
        }
        try bytes.withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try show(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
    }

    private mutating func show(_ bytes: UnsafeRawBufferPointer, into buffer: inout OutputBuffer) throws(OutputFailure) {
        guard !presentation.isVerbatim, let base = bytes.baseAddress, !bytes.isEmpty else {
            return try formatter.consume(bytes, into: &buffer)
        }
        if kind == .binary { return try suppress(into: &buffer) }
        guard let zero = memchr(base, 0, bytes.count) else {
            isEmpty = false
            return try formatter.consume(bytes, into: &buffer)
        }
        let readable = bytes[..<(UnsafeRawPointer(zero) - base)]
        if !readable.isEmpty {
            isEmpty = false
            try formatter.consume(UnsafeRawBufferPointer(rebasing: readable), into: &buffer)
        }
        try formatter.finish(into: &buffer)
        try suppress(into: &buffer)
    }

    private mutating func suppress(into buffer: inout OutputBuffer) throws(OutputFailure) {
        isBinary = true
        stage = .suppressed
        let notice = "NOTE: binary data not shown\(presentation.isForTerminal ? " in terminal" : "")"
        let texts = [notice] + [summary()].compactMap(\.self)
        let width = texts.map(\.utf8.count).max() ?? 0
        let line = "+" + String(repeating: "-", count: width + 2) + "+\n"
        buffer.append("\(isEmpty ? "" : "\n")\(line)")
        for text in texts {
            buffer.append("| \(text)\(String(repeating: " ", count: width - text.utf8.count)) |\n")
        }
        buffer.append(line)
        try buffer.drain()
    }
}

extension BodyKind {
    /// Whether JSON is often sent with this media type.
    fileprivate var mayHideJSON: Bool { self == .text || self == .html || self == .form || self == .xml }
}

extension [UInt8] {
    /// The bytes after a byte order mark, of which only a part may have arrived.
    fileprivate var withoutMark: ArraySlice<UInt8> {
        let mark = JSONTokenizer.byteOrderMark
        return mark.starts(with: prefix(mark.count)) ? dropFirst(mark.count) : self[...]
    }

    /// Whether the first byte after white space opens a container, or all bytes are white space.
    fileprivate var mayBeginJSON: Bool {
        guard let first = withoutMark.first(where: { !$0.isJSONSpace }) else { return true }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Whether more than a tenth of the bytes are control characters that texts do not contain.
    fileprivate var isClearlyBinary: Bool {
        let controls = count { $0 < 0x20 && !(0x08...0x0D ~= $0) && $0 != 0x1B }
        return controls * 10 > count
    }
}
