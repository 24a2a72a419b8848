import Testing

@testable import AFCommand

struct DownloadListTests {
    private func list(_ text: String) throws -> DownloadList { try DownloadList(text, path: "list") }

    @Test func `a line is a URL and the name of its file, if it has one`() throws {
        let list = try list("http://a/x\n:3000/y\tthe name.txt  \nb/z  sub/f#1\n")
        #expect(list.entries.map(\.url) == ["http://a/x", ":3000/y", "b/z"])
        #expect(list.entries.map(\.name) == [nil, "the name.txt", "sub/f#1"])
        #expect(list.entries.map(\.line) == [1, 2, 3])
    }

    @Test func `empty lines, comments, byte order marks and carriage returns are ignored`() throws {
        let list = try list("# both\r\n\r\n  \t\r\n  http://a/x#part  \r\n # c\nhttp://a/y f\r\n")
        #expect(list.entries.map(\.url) == ["http://a/x#part", "http://a/y"])
        #expect(list.entries.map(\.name) == [nil, "f"])
        #expect(list.entries.map(\.line) == [4, 6])
    }

    @Test(arguments: [
        ("/etc/x", "it is an absolute path"), ("../x", "'..' leaves the directory"),
        ("a/../x", "'..' leaves the directory"),
        ("./x", "a part of it is '.'"), ("a//x", "a part of it is empty"), ("a/", "a part of it is empty"),
        ("~/x", "'~' means another directory"), ("a\u{1B}[2J", "it contains invisible characters"),
        ("a\u{202E}b", "it contains invisible characters"), ("a\0b", "it contains invisible characters"),
    ])
    func `a name outside of the directory, or with invisible characters, is rejected`(name: String, reason: String)
        throws
    {
        let error = try #require(throws: UsageError.self) { try list("http://a/ok\n\nhttp://a/x \(name)") }
        let sentence = "invalid file name '\(name)': \(reason)"
        #expect(error.message == "--input: line 3 of 'list': \(sentence)")
    }

    @Test func `a name may have the maximum length of a file name`() throws {
        let longest = String(repeating: "x", count: 255)
        #expect(try list("http://a \(longest)/\(longest)").entries.count == 1)
        #expect(throws: UsageError.self) { try list("http://a \(longest)x") }
    }

    @Test func `a list without a URL is an error`() throws {
        let error = try #require(throws: UsageError.self) { try list("# nothing\n\n") }
        #expect(error.message == "--input: there is no URL in 'list'")
        #expect(throws: UsageError.self) { try DownloadList("", path: "-") }
    }

    @Test(arguments: ["0", "65", "-1", "x", "", "1.5", "99999999999999999999"])
    func `an invalid number of parallel downloads is an error`(count: String) {
        #expect(throws: UsageError.self) { try Invocation(parsing: ["--parallel", count]) }
    }
}
