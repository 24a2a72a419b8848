import AFCore
import TestSupport
import Testing

@testable import AFDownloads

/// The bytes that are buffered for the next write: none is lost or misplaced.
final class BlockWriterTests {
    let folder: ScratchFolder
    let file: PartialFile
    var writer = BlockWriter()
    static let body = RangeServer.pattern(1_000_000)

    init() throws {
        folder = try ScratchFolder()
        file = try PartialFile(creating: folder.file("f.part"))
    }

    /// Writes chunks of the body one after another.
    ///
    /// - Returns: How many bytes waited after each.
    private func write(_ sizes: [Int], from start: Int = 0, mayWait: Bool = true) throws -> [Int] {
        var end = start
        return try sizes.map { size in
            let piece = Self.body[end..<end + size]
            try piece.withUnsafeBytes { try writer.write($0, at: Int64(end), mayWait: mayWait, to: file) }
            end += size
            return writer.waiting
        }
    }

    private func bytes() throws -> [UInt8] { try folder.bytes(of: "f.part") }

    @Test func `full chunks wait for the rest of their block`() throws {
        #expect(try write([16_384, 16_100]) == [16_384, 0])
        #expect(try bytes() == Array(Self.body[..<32_484]))
        #expect(try write(Array(repeating: 16_384, count: 14), from: 32_484).last == 229_376)
        #expect(try bytes() == Array(Self.body[..<32_484]))
        #expect(try write([16_384], from: 261_860) == [16_100])
        #expect(try bytes() == Array(Self.body[..<262_144]))
        #expect(try write([300_000], from: 278_244) == [53_956])
        #expect(try bytes() == Array(Self.body[..<524_288]))
    }

    @Test func `a small chunk is written immediately`() throws {
        #expect(try write([20_000, 1]) == [20_000, 0])
        #expect(try bytes() == Array(Self.body[..<20_001]))
    }

    @Test func `an urgent chunk is written together with the waiting ones`() throws {
        #expect(try write([20_000]) == [20_000])
        #expect(try write([20_000], from: 20_000, mayWait: false) == [0])
        #expect(try bytes() == Array(Self.body[..<40_000]))
    }

    @Test func `the last chunks are written at the end`() throws {
        #expect(try write([20_000]) == [20_000])
        try writer.flush(upTo: 20_000, to: file)
        #expect(try bytes() == Array(Self.body[..<20_000]))
        try writer.flush(upTo: 20_000, to: file)
        #expect(try bytes() == Array(Self.body[..<20_000]))
    }

    @Test func `chunks of any size produce the same file`() throws {
        var generator = SeededNumbers(seed: 3)
        var sizes: [Int] = []
        while case let rest = Self.body.count - sizes.reduce(0, +), rest > 0 {
            sizes.append(min(rest, Int.random(in: 10_000...33_000, using: &generator)))
        }
        _ = try write(sizes)
        try writer.flush(upTo: Int64(Self.body.count), to: file)
        #expect(try bytes() == Self.body)
    }
}
