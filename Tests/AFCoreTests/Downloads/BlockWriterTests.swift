import TestSupport
import Testing

@testable import AFCore

/// What a fast body leaves for the next write, and that none of it is lost or misplaced.
struct BlockWriterTests {
    let folder: ScratchFolder
    let file: PartialFile
    let writer = BlockWriter()
    static let body = RangeServer.pattern(200_000)

    init() throws {
        folder = try ScratchFolder()
        file = try PartialFile(creating: folder.file("f.part"))
    }

    /// Writes pieces of the body one behind the other.
    ///
    /// - Returns: How many bytes waited after each.
    private func write(_ sizes: [Int], from start: Int = 0) throws -> [Int] {
        var end = start
        return try sizes.map { size in
            let piece = Self.body[end..<end + size]
            let waiting = try piece.withUnsafeBytes { try writer.write($0, at: Int64(end), to: file) }
            end += size
            return waiting
        }
    }

    private func bytes() throws -> [UInt8] { try folder.bytes(of: "f.part") }

    @Test func `the end of a full piece waits for the rest of its block`() throws {
        #expect(try write([16_384, 16_100]) == [0, 0])
        #expect(try bytes() == Array(Self.body[..<32_484]))
        #expect(try write([16_384], from: 32_484) == [3_812])
        #expect(try bytes() == Array(Self.body[..<45_056]))
        #expect(try write([16_384, 30_000], from: 48_868) == [3_812, 1_044])
        #expect(try bytes() == Array(Self.body[..<94_208]))
    }

    @Test func `a small piece waits for nothing`() throws {
        #expect(try write([20_000, 1]) == [3_616, 0])
        #expect(try bytes() == Array(Self.body[..<20_001]))
    }

    @Test func `at the end nothing waits`() throws {
        #expect(try write([20_000]) == [3_616])
        try writer.flush(upTo: 20_000, to: file)
        #expect(try bytes() == Array(Self.body[..<20_000]))
        try writer.flush(upTo: 20_000, to: file)
        #expect(try bytes() == Array(Self.body[..<20_000]))
    }

    @Test func `pieces of any size make the same file`() throws {
        var generator = SeededNumbers(seed: 3)
        var sizes: [Int] = []
        while case let rest = Self.body.count - sizes.reduce(0, +), rest > 0 {
            sizes.append(min(rest, Int.random(in: 1...33_000, using: &generator)))
        }
        _ = try write(sizes)
        try writer.flush(upTo: Int64(Self.body.count), to: file)
        #expect(try bytes() == Self.body)
    }
}
