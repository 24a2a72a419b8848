import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting
@testable import AFJSON

/// The filter against jq.
@Suite(.timeLimit(.minutes(5))) struct FilterComparisonTests {
    private static let odd = [
        #"{"a":{"b":[1,[2],{"c":3}]},"b":[{"a":1},{"b":2},[],{}],"":{"":"x"},"a.b":0,"0":[9]}"#,
        #"[[[[[[[[[[{"a":[[[[1]]]]}]]]]]]]]]]"#,
        #"{"\u0061":"\u0062","\n":"\t\"\\\/","é":"\u00e9","😀":"\ud83d\ude00"}"#,
        #"[0,-0,1e3,1E-2,1.5,123456789012,true,false,null,"",[],{}]"#, #""text""#, "17", "null", "[]", "{}",
        " [ 1 , 2 ] ",
        #"{"n":{"n":{"n":[{"n":1}]}},"a":[{"n":{"b":{"n":2}}}]}"#,
    ]

    /// A path and its equivalent for jq, which prints null for missing values, and a value once per match.
    private static let programs: [(String, [String])] = [
        (".", ["."]), ("a", [m("a")]), ("a.b", [m("a"), m("b")]), ("a.b[2].c", [m("a"), m("b"), i(2), m("c")]),
        ("[]", [".[]?"]), ("[].a", [".[]?", m("a")]), ("[*][]", [".[]?", ".[]?"]), ("[1:3]", ["arrays", ".[1:3][]"]),
        ("b[:2][a]", [m("b"), "arrays", ".[:2][]", m("a")]), ("[1:].b", ["arrays", ".[1:][]", m("b")]),
        ("[][][0]", [".[]?", ".[]?", i(0)]), ("[]..n", [".[]?", d("n")]), ("..n", [d("n")]),
        ("..n.b", [d("n"), m("b")]),
        ("..a[]", ["getpath([path(\(d("a")) | .[]?)] | unique[])"]),
        ("..n..n", ["getpath([path(\(d("n")) | \(d("n")))] | unique[])"]), ("[0]", [i(0)]), (#"a\.b"#, [m("a.b")]),
        ("é", [m("é")]), ("0[0]", [m("0"), i(0)]), ("😀", [m("😀")]),
    ]

    @Test(arguments: programs)
    func `the filter selects what jq selects`(path: String, steps: [String]) async throws {
        var numbers = SeededNumbers(seed: 7)
        let documents = Self.odd + (0..<300).map { _ in randomValue(depth: 0, using: &numbers) }
        let isRecursive = path.contains("..")
        let paths = try BodyFilter(argument: path).paths
        let jq = try await Program(
            "/usr/bin/jq",
            [
                "-c",
                "[\(steps.joined(separator: " | "))]",
            ], input: .text(documents.joined(separator: "\n"))
        ).run()
        #expect(jq.status == 0, "\(jq.errorText)")
        let results = jq.text.split(separator: "\n").map(String.init)
        try #require(results.count == documents.count)
        var isSomethingSelected = false
        for (document, result) in zip(documents, results) {
            let matches = try filtered(document, paths)
            isSomethingSelected = isSomethingSelected || !matches.isEmpty
            guard case .array(let expected)? = JSONValue(result) else {
                Issue.record("\(result)")
                continue
            }
            let found = matches.compactMap { JSONValue($0) }
            // jq visits a value before those that come before it in the document.
            if isRecursive {
                var rest = expected
                for value in found { rest.firstIndex(of: value).map { _ = rest.remove(at: $0) } }
                #expect(rest.isEmpty && found.count == expected.count, "\(path): \(document)")
            } else {
                #expect(found == expected, "\(path): \(document)")
            }
        }
        #expect(isSomethingSelected)
    }

    @Test func `raw strings are those of jq`() async throws {
        let documents = [#"["a\u0000b","\ud83d\ude00","\n\"\\",""]"#, #""\udc00\ud800\udc00""#]
        for document in documents {
            let jq = try await Program("/usr/bin/jq", ["-r", ".[]? // ."], input: .text(document)).run()
            let path = document.hasPrefix("[") ? "[]" : "."
            let lines = try filtered(document, BodyFilter(argument: path).paths, isRaw: true)
            #expect(lines.joined(separator: "\n") + "\n" == jq.text)
        }
    }

    private func filtered(_ text: String, _ paths: [[JSONFilter.Step]], isRaw: Bool = false) throws -> [String] {
        let output = MemoryOutput()
        var buffer = OutputBuffer(output)
        var filter = BodyPresentation().filter(paths, isRaw: isRaw, endsLines: true)
        try Array(text.utf8).withUnsafeBufferPointer { bytes throws(OutputFailure) in
            try filter.consume(UnsafeRawBufferPointer(bytes), into: &buffer)
        }
        try filter.finish(into: &buffer)
        try buffer.flush()
        #expect(filter.problem == nil)
        return output.text.split(separator: "\n", omittingEmptySubsequences: !isRaw).map(String.init)
            .dropLast(isRaw ? 1 : 0)
    }

    private func randomValue(depth: Int, using numbers: inout SeededNumbers) -> String {
        let names = ["a", "b", "n", "", "a.b", "é", "0", "c"]
        let space = [" ", "", "", "\n  "].randomElement(using: &numbers) ?? ""
        switch Int.random(in: 0..<(depth > 6 ? 4 : 9), using: &numbers) {
        case 0: return "\(Int.random(in: -999...999, using: &numbers))"
        case 1: return "\"\(names.randomElement(using: &numbers) ?? "")\\n\\u00e9\""
        case 2: return "true"
        case 3: return "null"
        case 4, 5:
            let elements = (0..<Int.random(in: 0...4, using: &numbers)).map { _ in
                space + randomValue(depth: depth + 1, using: &numbers)
            }
            return "[\(elements.joined(separator: space + ","))\(space)]"
        default:
            let chosen = names.shuffled(using: &numbers).prefix(Int.random(in: 0...5, using: &numbers))
            let members = chosen.map { name in
                "\(space)\"\(name)\"\(space):\(space)\(randomValue(depth: depth + 1, using: &numbers))"
            }
            return "{\(members.joined(separator: space + ","))\(space)}"
        }
    }
}

/// The member of an object, if there is one.
private func m(_ name: String) -> String { "(objects|select(has(\"\(name)\"))|.[\"\(name)\"])" }

/// The element of an array, if there is one.
private func i(_ index: Int) -> String { "(arrays|select(length>\(index))|.[\(index)])" }

/// The members at any depth.
private func d(_ name: String) -> String { "(..|objects|select(has(\"\(name)\"))|.[\"\(name)\"])" }
