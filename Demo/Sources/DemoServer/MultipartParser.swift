import Glibc

/// Parses a `multipart/form-data` body as a stream (RFC 2046 §5.1): buffers one window, never a complete part.
struct MultipartParser {
    private enum State { case preamble, delimiterLine, head, content, epilogue }

    private static let headLimit = 16_384
    private static let lineEnd: [UInt8] = [13, 10]

    private let delimiter: [UInt8]
    // The body's first delimiter has no line before it: with this one it looks like all others.
    private var window = Self.lineEnd
    private var state = State.preamble
    private var open: OpenPart?
    private(set) var parts: [Part] = []

    init(boundary: String) {
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    mutating func consume(_ bytes: UnsafeRawBufferPointer) throws {
        window.append(contentsOf: bytes)
        while try step() {}
    }

    /// - Throws: ``RequestError`` if the closing delimiter is missing.
    func finish() throws -> [Part] {
        guard state == .epilogue else { throw RequestError("the multipart body ends before its closing delimiter") }
        return parts
    }

    /// Parses the next part of the window; returns false if it needs more bytes.
    private mutating func step() throws -> Bool {
        switch state {
        case .preamble: return takeContent { _ in }
        case .delimiterLine: return takeDelimiterLine()
        case .head: return try takeHead()
        case .content:
            let part = open
            return takeContent { part?.append($0) }
        case .epilogue:
            window.removeAll(keepingCapacity: true)
            return false
        }
    }

    private mutating func takeContent(_ receive: (UnsafeRawBufferPointer) -> Void) -> Bool {
        if let end = position(of: delimiter) {
            window.withUnsafeBytes { receive(.init(rebasing: $0[..<end])) }
            window.removeFirst(end + delimiter.count)
            if let part = open?.close() { parts.append(part) }
            open = nil
            state = .delimiterLine
            return true
        }
        // The last bytes may be the start of a delimiter.
        let safe = max(0, window.count - delimiter.count + 1)
        window.withUnsafeBytes { receive(.init(rebasing: $0[..<safe])) }
        window.removeFirst(safe)
        return false
    }

    private mutating func takeDelimiterLine() -> Bool {
        if window.starts(with: Array("--".utf8)) {
            state = .epilogue
            return true
        }
        guard let end = position(of: Self.lineEnd) else { return false }
        // The line's end stays: the head's own lines are then all of the form CRLF + text.
        window.removeFirst(end)
        state = .head
        return true
    }

    private mutating func takeHead() throws -> Bool {
        guard let end = position(of: Self.lineEnd + Self.lineEnd) else {
            guard window.count <= Self.headLimit else { throw RequestError("a part's head is too long") }
            return false
        }
        open = try OpenPart(head: String(decoding: window[..<end], as: UTF8.self))
        window.removeFirst(end + 2 * Self.lineEnd.count)
        state = .content
        return true
    }

    private func position(of pattern: [UInt8]) -> Int? {
        window.withUnsafeBytes { window in
            guard let base = window.baseAddress else { return nil }
            var start = 0
            while start + pattern.count <= window.count {
                let candidates = window.count - pattern.count + 1 - start
                // memchr looks at many bytes at once: two gigabytes of content are not to be walked byte by byte.
                guard let found = memchr(base + start, Int32(pattern[0]), candidates) else { return nil }
                let position = UnsafeRawPointer(found) - base
                if memcmp(found, pattern, pattern.count) == 0 { return position }
                start = position + 1
            }
            return nil
        }
    }
}
