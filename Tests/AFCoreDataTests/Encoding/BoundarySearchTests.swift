import Testing

@testable import AFRequests

@Suite struct BoundarySearchTests {
    @Test func `a boundary is found again after the first one`() {
        var search = BoundarySearch("limit")
        func finds(_ text: String) -> Bool { Array(text.utf8).withUnsafeBytes { search.finds(in: $0) } }
        #expect(finds("--limit"))
        #expect(!finds("--limit"))
        #expect(finds("\n--limit"))
    }
}
