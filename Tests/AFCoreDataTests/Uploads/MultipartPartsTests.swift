import Testing

@testable import AFUploads

/// The parts of a multipart upload.
@Suite struct MultipartPartsTests {
    private static let size: Int64 = 8 << 20
    private let tag = String(repeating: "0", count: 32)

    private func parts(_ count: Int64, rest: Int64 = 0) -> MultipartParts {
        let length = count * Self.size + rest
        return MultipartParts(length: length, MultipartState(length: length))
    }

    private func receive(_ parts: inout MultipartParts, _ listed: [(number: Int, tag: String)]) throws {
        let entries = listed.map {
            "<Part><PartNumber>\($0.number)</PartNumber><Size>\(Self.size)</Size><ETag>\($0.tag)</ETag></Part>"
        }
        let document = "<ListPartsResult>\(entries.joined())</ListPartsResult>"
        parts.beginList()
        parts.receive(try #require(MultipartDocument.partList(in: Array(document.utf8))), isFirst: true)
        parts.endList()
    }

    @Test func `the acknowledged bytes are those of the parts that the server has`() throws {
        var parts = parts(3, rest: 5)
        #expect(parts.acknowledged == 0)
        for _ in 0..<2 { _ = parts.acknowledge(1, tag) }
        #expect(parts.acknowledged == Self.size)
        _ = parts.acknowledge(3, tag)
        #expect(parts.acknowledged == Self.size + 5)
        try receive(&parts, [(1, "opaque"), (2, tag)])
        // The second part has still to be compared.
        #expect(parts.acknowledged == Self.size)
        parts.record(digest: Array(repeating: 0, count: 16), of: 1)
        #expect(parts.acknowledged == 2 * Self.size)
        try receive(&parts, [(2, tag), (3, tag)])
        #expect(parts.acknowledged == Self.size)
        parts.useOpaqueTags()
        #expect(parts.acknowledged == 2 * Self.size && parts.offset == 0)
        parts.reset()
        #expect(parts.acknowledged == 0)
    }

    @Test func `the acknowledged bytes of many parts are known at once`() {
        var parts = parts(10_000)
        for index in 0..<5000 { _ = parts.acknowledge(2 * index, tag) }
        var sum: Int64 = 0
        let time = ContinuousClock().measure {
            for _ in 0..<20_000 { sum += parts.acknowledged / Self.size }
        }
        #expect(sum == 20_000 * 5000 && time < .seconds(2))
    }
}
