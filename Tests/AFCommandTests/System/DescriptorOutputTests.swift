import Glibc
import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting

@Suite(.serialized, .timeLimit(.minutes(5))) struct DescriptorOutputTests {
    @Test func `everything is written to a full non-blocking pipe`() async throws {
        let (reading, writing) = try pipe()
        defer { close(reading) }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let bytes = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        async let received = onThread { Self.readAll(reading) }
        try await onThread {
            defer { close(writing) }
            try bytes.withUnsafeBytes { try DescriptorOutput(writing).write($0) }
        }
        #expect(try await received == bytes)
    }

    @Test func `a pipe without a reader is reported as closed`() throws {
        signal(SIGPIPE, SIG_IGN)
        let (reading, writing) = try pipe()
        defer { close(writing) }
        close(reading)
        #expect(throws: OutputFailure.closed) {
            try [1 as UInt8].withUnsafeBytes { try DescriptorOutput(writing).write($0) }
        }
    }

    @Test func `a full disk is reported with its errno`() {
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(throws: OutputFailure.failed(errno: ENOSPC)) {
            try [1 as UInt8].withUnsafeBytes { try DescriptorOutput(full).write($0) }
        }
    }

    private struct NoPipe: Error {}

    private func pipe() throws -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw NoPipe() }
        return (ends[0], ends[1])
    }

    private static func readAll(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1000)
        while case let count = read(descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
        return bytes
    }
}
