import AFHTTP
import Testing

@testable import AFCommand

@Suite struct HeaderEditTests {
    @Test func `a range is an option or a field`() async {
        let run = await runTool("--offline", "--range", "0-1", "h.org", "Range:bytes=1-2")
        #expect(run.status == 64)
        #expect(run.messages.first == "afcli: error: --range: cannot be combined with a Range header")
    }

    @Test(arguments: [
        ("Name: value", HeaderEdit.add(HTTPHeader(name: "Name", value: "value"))),
        ("Name:a:b=c", .add(HTTPHeader(name: "Name", value: "a:b=c"))),
        ("Name:\tvalue  ", .add(HTTPHeader(name: "Name", value: "value"))),
        ("Name;", .add(HTTPHeader(name: "Name", value: ""))),
        ("Name:", .remove(name: "Name")),
        ("Name:  ", .remove(name: "Name")),
        ("Näme: x", nil), ("A B: x", nil), (": x", nil), ("word", nil), ("A: x\r\nB: y", nil), ("A: x\u{0}", nil),
    ])
    func `a header option has curl's syntax`(text: String, edit: HeaderEdit?) throws {
        if let edit {
            #expect(try HeaderEdit(argument: text) == edit)
        } else {
            #expect(throws: UsageError.self) { try HeaderEdit(argument: text) }
        }
    }

    private func list(_ edits: HeaderEdit...) -> HeaderList {
        let defaults = [HTTPHeader(name: "Accept", value: "*/*"), HTTPHeader(name: "User-Agent", value: "afcli")]
        return HeaderList(defaults: defaults, edits)
    }

    private func add(_ name: String, _ value: String) -> HeaderEdit { .add(HTTPHeader(name: name, value: value)) }

    @Test func `a replaced default keeps its position`() {
        let headers = list(add("X", "1"), add("accept", "text/html")).headers
        #expect(headers.map(\.description) == ["accept: text/html", "User-Agent: afcli", "X: 1"])
    }

    @Test func `repeated headers are separate fields`() {
        let headers = list(add("X", "1"), add("Y", "2"), add("x", "3"), add("Accept", "a/b"), add("Accept", "c/d"))
            .headers
        #expect(
            headers.map(\.description) == [
                "Accept: a/b", "User-Agent: afcli", "X: 1", "Y: 2", "x: 3", "Accept: c/d",
            ])
    }

    @Test func `a removal removes earlier fields, also those of the transport`() {
        let cleared = list(add("X", "1"), .remove(name: "x"), .remove(name: "Host"), .remove(name: "ACCEPT"))
        #expect(cleared.headers.map(\.description) == ["User-Agent: afcli"])
        #expect(cleared.removed == ["x", "Host", "ACCEPT"])
        let again = list(.remove(name: "Accept"), add("Accept", "a/b"))
        #expect(again.headers.map(\.description) == ["User-Agent: afcli", "Accept: a/b"])
        #expect(again.removed.isEmpty)
        let removedAgain = list(add("X", "1"), .remove(name: "X"), add("X", "2"), .remove(name: "x"), add("Y", "3"))
        #expect(removedAgain.headers.map(\.name) == ["Accept", "User-Agent", "Y"])
        #expect(removedAgain.removed == ["x"])
    }
}
