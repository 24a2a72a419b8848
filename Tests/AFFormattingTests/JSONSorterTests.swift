import Testing

@testable import AFFormatting

@Suite struct JSONSorterTests {
    private func sorter(limit: Int = 1 << 20) -> JSONSorter {
        JSONSorter(limit: limit, formatter: JSONFormatter(layout: .indented(0)))
    }

    private func sorted(_ text: String) throws -> String {
        try shown(text, by: sorter()).filter { $0 != "\n" && $0 != " " }
    }

    @Test func `members are sorted at every level, elements are not`() throws {
        let text = #"{"b":[3,1,{"d":1,"c":2}],"a":{"z":null,"y":{}},"":1.50}"#
        #expect(try sorted(text) == #"{"":1.50,"a":{"y":{},"z":null},"b":[3,1,{"c":2,"d":1}]}"#)
    }

    @Test func `members with the same name keep their order`() throws {
        #expect(try sorted(#"{"b":1,"a":2,"b":0,"a":1}"#) == #"{"a":2,"a":1,"b":1,"b":0}"#)
    }

    @Test func `names are compared unescaped`() throws {
        #expect(try sorted(#"{"\u0062":1,"c":2,"a":3}"#) == #"{"a":3,"b":1,"c":2}"#)
        #expect(try sorted(#"{"a\"":1,"a\n":2,"a\u0021":3}"#) == #"{"a\n":2,"a!":3,"a\"":1}"#)
        #expect(try sorted(#"{"\ud83d\ude00":1,"\ud83d":2,"é":3}"#) == #"{"é":3,"\ud83d":2,"😀":1}"#)
    }

    @Test func `the order of documents and a prefix against JSON hijacking are preserved`() throws {
        let output = try shown(")]}',\n{\"b\":1,\"a\":[]}\n7 {\"d\":1,\"c\":\"}\"}", by: sorter())
        #expect(output == ")]}',\n{\n\"a\": [],\n\"b\": 1\n}\n7\n{\n\"c\": \"}\",\n\"d\": 1\n}")
        #expect(try sorted("\u{FEFF}{\"b\":1,\"a\":2}") == #"{"a":2,"b":1}"#)
        #expect(try sorted(" ").isEmpty)
    }

    @Test(arguments: ["{\"b\":1,\"a\":2,}", "{\"b\":1,\"a\":2", "{\"b\":1} x {\"a\":1}", "nonsense", "\"\\ud83d"])
    func `invalid JSON is written in its original order`(text: String) throws {
        let expected = try shown([Array(text.utf8)], by: JSONFormatter(layout: .indented(0)))
        for pieces in cuts(of: Array(text.utf8)) {
            let output = try shown(pieces, by: sorter())
            #expect(output.text == expected.text)
            #expect(output.brokenOffset == expected.brokenOffset)
        }
    }

    @Test func `a document above the limit is written unsorted`() throws {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var sorter = sorter(limit: 10)
        try Array("{\"b\":1,\"a\":2".utf8).withUnsafeBytes { try sorter.consume($0, into: &buffer) }
        #expect(sorter.isOverLimit)
        try Array("}".utf8).withUnsafeBytes { try sorter.consume($0, into: &buffer) }
        try sorter.finish(into: &buffer)
        try buffer.flush()
        #expect(output.text == "{\n\"b\": 1,\n\"a\": 2\n}")
        #expect(sorter.isOverLimit)
        #expect(sorter.brokenOffset == nil)
    }

    @Test func `large and deeply nested documents are written completely`() throws {
        let members = (0..<20_000).map { "\"k\((($0 &* 7919) % 20_000) + 10_000)\":[\($0)]" }
        let output = try sorted("{\(members.joined(separator: ","))}")
        #expect(output.hasPrefix("{\"k10000\":[") && output.contains("\"k29999\":["))
        #expect(output.utf8.count == members.joined(separator: ",").utf8.count + 2)
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        #expect(try sorted(deep) == deep)
    }

    @Test func `documents on separate lines are sorted one by one`() throws {
        let lines = "{\"b\":1,\"a\":2}\n7\n8\n{\"d\":\n1,\"c\":2}\n"
        let expected = "{\"a\":2,\"b\":1}\n7\n8\n{\"c\":2,\"d\":1}"
        for pieces in cuts(of: Array(lines.utf8)) {
            let sorter = JSONSorter(limit: 1000, isByLine: true, formatter: JSONFormatter(layout: .indented(0)))
            let text = try shown(pieces, by: sorter).text
            let tight = text.replacing("{\n", with: "{").replacing("\n}", with: "}").replacing(",\n", with: ",")
            #expect(tight.replacing("\": ", with: "\":") == expected)
        }
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var sorter = JSONSorter(limit: 1000, isByLine: true, formatter: JSONFormatter())
        try Array("{\"b\":1,\"a\":2}\n".utf8).withUnsafeBytes { try sorter.consume($0, into: &buffer) }
        try buffer.flush()
        #expect(output.text.hasPrefix("{\n    \"a\": 2"))
    }
}
