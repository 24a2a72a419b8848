internal import AFHTTP

/// The head of a response out of its lines, kept until something follows it that shows it not to be the answer.
struct PassingHead {
    private var bytes: [UInt8] = []
    /// Whether what comes is no part of the head: there is none, or these are the trailers.
    private var isOver = true

    /// Takes a line with its end; gives the head before it where the line begins another one.
    mutating func add(_ line: [UInt8]) -> [UInt8]? {
        let isStart = line.starts(with: "HTTP/".utf8)
        let last = isStart ? take() : nil
        if isStart { isOver = false }
        if !isOver { bytes += line }
        if line == [0x0D, 0x0A] || line == [0x0A] { isOver = true }
        return last
    }

    /// Gives what there is of the head, and keeps nothing.
    mutating func take() -> [UInt8]? {
        defer { self = PassingHead() }
        if bytes.isEmpty { return nil }
        // libcurl says nothing about the blank line behind an interim head.
        return isOver ? bytes : bytes + [0x0D, 0x0A]
    }
}

extension MediaType {
    /// What the bytes of a head announce the body as.
    init?(ofHead head: [UInt8]) {
        let name = Array("content-type:".utf8)
        let line = head.split(separator: UInt8(ascii: "\n")).last { line in
            line.prefix(name.count).map { $0 | 0x20 } == name.map { $0 | 0x20 }
        }
        guard let line else { return nil }
        let value = String(decoding: line.dropFirst(name.count), as: UTF8.self)
        self.init(parsing: value.filter { !$0.isNewline })
    }
}
