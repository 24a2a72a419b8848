import AFHTTP
import Glibc
import Testing

struct DescriptorTests {
    @Test func `bytes are written and read at an offset or at the position`() throws {
        let stream = try #require(tmpfile())
        defer { fclose(stream) }
        let file = Descriptor(fileno(stream))
        #expect(Array("hello ".utf8).withUnsafeBytes { file.write($0) })
        #expect(Array("world".utf8).withUnsafeBytes { file.write($0, at: 6) })
        var bytes = [UInt8](repeating: 0, count: 20)
        // The position is after the first write.
        var counts = [bytes.withUnsafeMutableBytes { file.read(into: $0) }]
        #expect(bytes.prefix(5).elementsEqual("world".utf8))
        counts.append(bytes.withUnsafeMutableBytes { file.read(into: $0) })
        counts.append(bytes.withUnsafeMutableBytes { file.read(into: $0, at: 3) })
        #expect(bytes.prefix(8).elementsEqual("lo world".utf8))
        #expect(counts == [5, 0, 8])
    }

    @Test func `a buffer is filled completely, or not at all`() throws {
        let stream = try #require(tmpfile())
        defer { fclose(stream) }
        let file = Descriptor(fileno(stream))
        #expect(Array("12345".utf8).withUnsafeBytes { file.write($0) })
        var bytes = [UInt8](repeating: 0, count: 4)
        let isFilled = bytes.withUnsafeMutableBytes { file.fill($0, at: 1) }
        #expect(isFilled && bytes.elementsEqual("2345".utf8))
        let isFilledAgain = bytes.withUnsafeMutableBytes { file.fill($0, at: 2) }
        #expect(!isFilledAgain)
    }

    @Test(arguments: [("", "world"), ("hello ", ""), ("hello ", "world"), ("", "")])
    func `two buffers are written one after the other`(first: String, second: String) throws {
        let stream = try #require(tmpfile())
        defer { fclose(stream) }
        let file = Descriptor(fileno(stream))
        let isWritten = Array(first.utf8).withUnsafeBytes { first in
            Array(second.utf8).withUnsafeBytes { file.write(first, $0, at: 3) }
        }
        #expect(isWritten)
        var bytes = [UInt8](repeating: 1, count: 20)
        let count = bytes.withUnsafeMutableBytes { file.read(into: $0, at: 3) }
        #expect(String(decoding: bytes.prefix(count), as: UTF8.self) == first + second)
    }

    @Test func `a call that a signal interrupts is repeated`() {
        for (error, calls) in [(EINTR, 3), (EBADF, 1)] {
            var count = 0
            let result = uninterrupted { () -> Int32 in
                count += 1
                errno = error
                return count < 3 ? -1 : 7
            }
            #expect(count == calls)
            #expect(result == (error == EINTR ? 7 : -1))
        }
    }

    @Test func `a failure has its reason in errno`() {
        var bytes: [UInt8] = [1]
        let (count, readError) = bytes.withUnsafeMutableBytes { (Descriptor(-1).read(into: $0), errno) }
        #expect(count == -1 && readError == EBADF)
        let (isWritten, writeError) = bytes.withUnsafeBytes { (Descriptor(-1).write($0), errno) }
        #expect(!isWritten && writeError == EBADF)
        let (areWritten, pairError) = bytes.withUnsafeBytes { (Descriptor(-1).write($0, $0, at: 0), errno) }
        #expect(!areWritten && pairError == EBADF)
    }
}
