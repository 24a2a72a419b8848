import Testing

@testable import AFJSON

/// The index of the bytes of JSON texts.
@Suite struct JSONTreeTests {
    @Test(arguments: ["]", "[1]]", "[1,tru]", "{\"a\":}x", "[\"a]"])
    func `invalid JSON has no tree`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try JSONTree(Array(text.utf8), from: 0) }
    }

    @Test func `members are sorted by their unescaped names, and elements keep their order`() throws {
        let tree = try JSONTree(Array(#"{"b":[2,1],"\u0061":{"d":1,"c":2}}"#.utf8), from: 0)
        var sorted: [UInt8] = []
        tree.writeSorted { sorted += $0 }
        #expect(String(decoding: sorted, as: UTF8.self) == #"{"\u0061":{"c":2,"d":1},"b":[2,1]}"#)
    }
}
