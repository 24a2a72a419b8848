import AFHTTP
import Testing

@testable import AFCommand

@Suite struct PositionalsTests {
    @Test(arguments: [
        (["get", "h"], "GET", "h", 0), (["get/"], nil, "get/", 0), (["localhost"], nil, "localhost", 0),
        (["localhost", "a=b"], "LOCALHOST", "a=b", 0), (["h.example", "a=b"], nil, "h.example", 1),
        (["purge", "h", "a=b", "c=d"], "PURGE", "h", 2), ([":3000", "a=b"], nil, ":3000", 1),
    ])
    func `the first argument is a method if it has only letters and is not alone`(
        words: [String], method: String?, address: String, items: Int
    ) throws {
        let positionals = try Positionals(words, method: nil)
        #expect(positionals.method?.rawValue == method)
        #expect(positionals.address == address)
        #expect(positionals.items.count == items)
        #expect(positionals.itemOffset == words.count - items)
    }

    @Test func `a method of the option is sent as typed, and the first argument is the URL`() throws {
        let positionals = try Positionals(["localhost", "a=b"], method: "m-Search")
        #expect(positionals.method?.rawValue == "m-Search")
        #expect(positionals.address == "localhost")
        #expect(positionals.items.count == 1)
        #expect(throws: UsageError("invalid method 'A B'", argument: "--method")) {
            try Positionals(["h"], method: "A B")
        }
    }

    @Test(arguments: [
        ["a=1", "http://h/"], ["X-A:b", "example.org"], ["get", "Accept:text/x", "h.example/x"], ["q==1", ":3000/x"],
        ["X-A:1b", "example.org"],
    ])
    func `an item before the URL is an error with a hint`(words: [String]) {
        let error = #expect(throws: UsageError.self) { try PlannedRequest(Invocation(parsing: words)) }
        #expect(error?.hint?.contains("precedes the items") == true || error?.hint?.contains("goes before") == true)
    }

    @Test(arguments: ["get", "GET", "Post", "head", "options", "query"])
    func `a method without a URL is an error`(word: String) throws {
        let error = #expect(throws: UsageError.self) { try Positionals([word], method: nil) }
        #expect(error?.message == "no URL given: '\(word)' is a method")
        #expect(error?.hint == "afcli [METHOD] URL [ITEM ...]; if it is the host, write \(word)/")
        #expect(try Positionals([word], method: "PUT").address == word)
        #expect(try Positionals(["get", word], method: nil).address == word)
    }

    @Test(arguments: [
        "http://b/", "https://u:s3cret@b/x", "HTTP://b", ":3000", ":3000/b", "localhost:80/x", "h.org:8080",
    ])
    func `an item that is a URL is an error`(word: String) {
        let error = #expect(throws: UsageError.self) { try Positionals(["http://a/", word], method: nil) }
        #expect(error?.problem == "is a second URL: the first is 'http://a/'")
        #expect(error?.argument?.contains("s3cret") == false)
        #expect(error?.hint?.contains("--input FILE requests several") == true)
    }

    @Test func `a path apart from its host is explained`() {
        let error = #expect(throws: UsageError.self) { try Positionals(["http://a", "/b"], method: nil) }
        #expect(error?.hint == "write the path behind the host, without a space")
    }

    @Test(arguments: [#"{"a":1}"#, #"{"url": "http://h/?a=b"}"#, "[1,2]", "{}"])
    func `an item that is JSON is an error with the option for it`(word: String) {
        let error = #expect(throws: UsageError.self) { try Positionals(["http://a/", word], method: nil) }
        #expect(error?.problem == "is not an item")
        #expect(error?.hint == "use --raw to send JSON: --raw '{...}'")
    }

    @Test(arguments: ["[]:=1", "{a}={b}", "[0]=x]"])
    func `an item in brackets is an item`(word: String) throws {
        #expect(try Positionals(["http://a/", word], method: nil).items.count == 1)
    }

    @Test func `a method may be given only once`() throws {
        let error = UsageError.withoutHint("'post' cannot be combined with --method")
        #expect(throws: error) { try Positionals(["post", "h"], method: "PUT") }
    }

    @Test func `a missing URL and an invalid item are usage errors`() {
        let error = #expect(throws: UsageError.self) { try Positionals([], method: nil) }
        #expect(error?.problem == "no URL given")
        #expect(error?.hint?.contains("--help") == true)
        let item = #expect(throws: UsageError.self) { try Positionals(["h.example", "word"], method: nil) }
        #expect(item?.argument == "word")
    }
}
