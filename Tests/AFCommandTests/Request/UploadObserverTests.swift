import AFCore
import Synchronization
import Testing

@testable import AFCommand

@Suite struct UploadObserverTests {
    private final class Endless: BodyStream {
        func read(
            into buffer: UnsafeMutableRawBufferPointer,
            whenReady: @escaping @Sendable () -> Void
        ) -> BodyRead { .bytes(buffer.count) }

        func rewind() -> Bool { false }
    }

    @Test func `a stream waits for its observer`() throws {
        let backlog = UploadBacklog()
        let stream = ObservedStream(Endless(), UploadObserver(backlog: backlog) { backlog.add($0) })
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
        defer { buffer.deallocate() }
        let calls = Mutex(0)
        func read() throws -> Bool {
            let outcome = try stream.read(into: buffer) { calls.withLock { $0 += 1 } }
            return if case .bytes = outcome { true } else { false }
        }
        var pieces = 0
        while pieces < 1000, try read() { pieces += 1 }
        #expect(pieces == 16)
        #expect(calls.withLock { $0 } == 0)
        backlog.remove([UInt8](repeating: 0, count: 64 << 10))
        #expect(calls.withLock { $0 } == 1)
        #expect(try read())
        #expect(try !read())
    }
}
