import TestSupport
import Testing

@testable import AFTransport

struct BodyReaderTests {
    /// Returns everything read with a buffer of this size.
    private func text(_ reader: inout BodyReader, buffer size: Int = 3) throws -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: size)
        while case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) {} }) {
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [1, 2, 3, 5, 100])
    func `the buffer size does not change the bytes that are read`(size: Int) throws {
        let folder = try ScratchFolder()
        let file = try folder.write("0123456789", to: "f")
        var reader = try BodyReader(
            .parts([
                .bytes(Array("abc".utf8)), .file(path: file, range: 2..<9), .parts([]), .bytes([]), .file(path: file),
            ])
        )
        #expect(reader.length == 20)
        let text1 = try text(&reader, buffer: size)
        #expect(text1 == "abc23456780123456789")
        let canRewind = reader.rewind()
        #expect(canRewind)
        let text2 = try text(&reader, buffer: size)
        #expect(text2 == "abc23456780123456789")
    }

    @Test func `only streams that were read from have to rewind`() throws {
        let stream = PiecewiseStream([Array("cd".utf8)])
        var reader = try BodyReader(.parts([.bytes(Array("ab".utf8)), .stream(stream, length: 2)]))
        var buffer = [UInt8](repeating: 0, count: 2)
        let read = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) {} }
        #expect(read == .bytes(2))
        let canRewind = reader.rewind()
        #expect(canRewind)
        let text3 = try text(&reader)
        #expect(text3 == "abcd")
        let canRewindAgain = reader.rewind()
        #expect(!canRewindAgain)
    }

    @Test(arguments: [["abcde"], ["ab", "cde"], ["abcd", "e"], ["a", "b", "c", "d", "e"]], [1, 2, 5, 9])
    func `the last byte of an announced length is sent at the end of the stream`(chunks: [String], size: Int) throws {
        let stream = PiecewiseStream(chunks.map { Array($0.utf8) }, hasEnded: false, canRewind: true)
        var reader = try BodyReader(.stream(stream), announcedLength: 5)
        #expect(reader.length == 5)
        let start = try text(&reader, buffer: size)
        #expect(start == "abcd")
        #expect(!reader.isAtEnd)
        stream.end()
        let rest = try text(&reader, buffer: size)
        #expect(rest == "e")
        #expect(reader.hasReadEnd)
        let canRewind = reader.rewind()
        #expect(canRewind)
        let again = try text(&reader, buffer: size)
        #expect(again == "abcde")
    }

    @Test func `a byte that is held back is not lost when the reader rewinds`() throws {
        let stream = PiecewiseStream([[97]], hasEnded: false, canRewind: true)
        var reader = try BodyReader(.stream(stream), announcedLength: 1)
        let nothing = try text(&reader)
        #expect(nothing == "")
        let canRewind = reader.rewind()
        #expect(canRewind)
        #expect(stream.rewindCount == 1)
        stream.end()
        let all = try text(&reader)
        #expect(all == "a")
    }

    @Test(arguments: [["abcdef"], ["abcde", "f"], ["abcd", "ef"]])
    func `a stream that is longer than announced fails before its last announced byte`(chunks: [String]) throws {
        var reader = try BodyReader(.stream(PiecewiseStream(chunks.map { Array($0.utf8) })), announcedLength: 5)
        let failure = #expect(throws: TransferFailure.self) { try text(&reader, buffer: 9) }
        #expect(failure?.detail == "the body is longer than its announced length of 5 bytes")
    }

    @Test func `a stream that is shorter than announced fails at its end`() throws {
        var reader = try BodyReader(.stream(PiecewiseStream([[97, 98]])), announcedLength: 5)
        let failure = #expect(throws: TransferFailure.self) { try text(&reader, buffer: 9) }
        #expect(failure?.detail == "the body ended after 2 of 5 announced bytes")
    }

    @Test func `a stream that returns an impossible byte count is rejected`() throws {
        final class Liar: BodyStream {
            let count: Int
            init(count: Int) { self.count = count }
            func read(into buffer: UnsafeMutableRawBufferPointer, whenReady: @escaping @Sendable () -> Void) -> BodyRead
            {
                .bytes(count)
            }
            func rewind() -> Bool { false }
        }
        for count in [0, -1, 4] {
            var reader = try BodyReader(.stream(Liar(count: count)))
            #expect(throws: TransferFailure.self) { try text(&reader) }
        }
    }

    @Test func `parts whose total length overflows are rejected`() throws {
        let longest = BodySource.stream(PiecewiseStream(), length: .max)
        #expect(try BodyReader(longest).length == .max)
        let failure = #expect(throws: TransferFailure.self) { try BodyReader(.parts([longest, .bytes([1])])) }
        #expect(failure?.kind == .bodyUnreadable)
    }

    @Test(arguments: [BodySource.stream(PiecewiseStream(), length: -1), .file(path: "/proc/self/exe", range: -5..<3)])
    func `negative lengths and range bounds are rejected`(source: BodySource) {
        #expect(throws: TransferFailure.self) { try BodyReader(source) }
    }
}
