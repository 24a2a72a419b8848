import AFHTTP
import Testing

@testable import AFCommand

@Suite struct FormPartTests {
    @Test func `a long media type with semicolons is parsed`() throws {
        let parameters = String(repeating: "; a=b", count: 20_000)
        let part = try part("a=b;type=text/plain\(parameters); filename=x")
        #expect(part.contentType?.utf8.count == 10 + parameters.utf8.count)
        #expect(part.fileName == "x")
    }

    private func part(_ text: String) throws -> FormPart { try FormPart(text, isLiteral: false) }

    @Test func `text, upload and contents of a file are distinguished`() throws {
        #expect(try part("a=b").content == .text("b"))
        #expect(try part("a=").content == .text(""))
        #expect(try part("a=@f.txt").content == .upload(path: "f.txt"))
        #expect(try part("a=@-").content == .upload(path: "-"))
        #expect(try part("a=<f.txt").content == .textFromFile(path: "f.txt"))
        #expect(try part("a=b=c").content == .text("b=c"))
        #expect(try part("=x").name == "")
    }

    @Test func `attributes may be in any order`() throws {
        let one = try part("a=@f;type=text/plain;charset=utf-8; filename=g.txt;headers=@h")
        #expect(one.contentType == "text/plain;charset=utf-8")
        #expect(one.fileName == "g.txt")
        #expect(one.headerFile == "h")
        let other = try part(#"a=x;headers="X-A: 1; 2";type=a/b"#)
        #expect(other.headers == [HTTPHeader(name: "X-A", value: "1; 2")])
        #expect(other.contentType == "a/b")
    }

    @Test func `a quoted value may contain any characters`() throws {
        #expect(try part(#"a="b;c\"d\\e\f";type=x/y"#).content == .text(#"b;c"d\e\f"#))
        #expect(try part(#"a=@"f;g,h.txt";filename="x;y""#).content == .upload(path: "f;g,h.txt"))
        #expect(try part(#"a=@"f;g,h.txt";filename="x;y""#).fileName == "x;y")
    }

    @Test func `a literal part is unchanged`() throws {
        #expect(try FormPart("a=@b;type=c", isLiteral: true).content == .text("@b;type=c"))
        #expect(try FormPart("a=\"b", isLiteral: true).content == .text("\"b"))
    }

    @Test(arguments: [
        ("word", "expected name=value, got 'word'"),
        ("a=@", "has no file name"),
        ("a=b;c", "unknown attribute 'c': use type=, filename= or headers="),
        ("a=b;size=3", "unknown attribute 'size=3': use type=, filename= or headers="),
        ("a=b;type=nonsense", "'nonsense' is not a media type"),
        ("a=\"b", "has an opening quote without a closing one"),
        ("a=\"b\"c", "has text after the closing quote: 'c'"),
        ("a\r\nb=c", "the name of a part must not contain control characters"),
        ("a=b;filename=x\ny", "the name of a part must not contain control characters"),
        ("a=b;headers=X-A", "expected 'Name: value', got 'X-A'"),
        ("a=b;headers=X-A:", "the header 'X-A:' has no value"),
    ])
    func `an invalid part is an error`(text: String, problem: String) {
        let error = #expect(throws: UsageError.self) { try part(text) }
        #expect(error?.problem == problem)
    }
}
