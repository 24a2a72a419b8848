import Testing

@testable import AFJSON

@Suite struct JSONTokenReceiverTests {
    private struct Checker: JSONTokenReceiver {
        typealias Output = Void
        typealias Failure = Never

        var tokenizer = JSONTokenizer(isSingle: true)
    }

    @Test(arguments: ["{\"a\": 1", "[1", "[", "{", "[1,", "{\"a\":", "{\"a\""])
    func `white space at the end of the text is the last that is read`(start: String) {
        // More space than short tokens are read without a comparison with the end.
        let text = Array((start + String(repeating: " ", count: 400)).utf8)
        for next in Array("]},:1\"".utf8) {
            let memory = text + [next]
            memory.withUnsafeBufferPointer { memory in
                var checker = Checker()
                #expect(throws: JSONSyntaxError.self) {
                    try checker.read(UnsafeBufferPointer(rebasing: memory[..<text.count]))
                }
                #expect(checker.tokenizer.containers.depth == 1)
            }
        }
    }
}
