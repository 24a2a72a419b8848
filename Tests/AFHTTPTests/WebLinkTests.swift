import AFHTTP
import Testing

struct WebLinkTests {
    /// Returns the targets of the links with the relation type `next`.
    private func next(_ value: String) -> [String] {
        WebLink.links(in: value).filter { $0.relations.contains("next") }.map(\.target)
    }

    @Test(
        arguments: [
            (#"</p?page=2>; rel="next""#, ["/p?page=2"]),
            (#"<a>; rel="prev", <b>; rel="next", <c>; rel="last""#, ["b"]),
            // Case, space, and tokens without quotes.
            (#"<b>;REL=NEXT"#, ["b"]), (#"<b> ; rel = next"#, ["b"]), ("<b>\t;\trel\t=\t\"next\"", ["b"]),
            ("<b>; rel='next'", ["b"]), ("<b>; rel='last next'", ["b"]),
            (#"<b>;rel=next,<c>;rel=last"#, ["b"]),
            // Several relation types.
            (#"<b>; rel="last next""#, ["b"]), (#"<b>; rel="  Next  last""#, ["b"]), (#"<b>; rel="nextish""#, []),
            // Delimiters in quotes and in targets.
            (#"<a>; title="x, <b>; rel=next"; rel=prev, <c>; rel=next"#, ["c"]),
            (#"<a>; title="\"; rel=next"; rel="prev""#, []),
            (#"</p?ids=1,2;3&q="x">; rel=next"#, [#"/p?ids=1,2;3&q="x""#]),
            (#"<b>; title="a;b"; rel=next"#, ["b"]), (#"<b>; title*=UTF-8''%e2%82%ac; rel=next"#, ["b"]),
            // Of repeated parameters, the first counts.
            (#"<b>; rel=prev; rel=next"#, []), (#"<b>; rel=next; rel=prev"#, ["b"]),
            (#"<>; rel=next"#, [""]),
            // Malformed fields.
            ("", []), (",, ,", []), ("b; rel=next", []), ("<b", []), ("<b>", []), ("<b>; rel", []), ("<b>; rel=", []),
            ("<b>;; rel=next;", ["b"]), (#"<b>; rel="next"#, ["b"]), (#"x "," y, <b>; rel=next"#, ["b"]),
            ("<b> junk; rel=next", ["b"]), ("<b>; = ; rel=next", ["b"]),
            ("<b>; rel=next junk, <c>; rel=next", ["b", "c"]),
        ] as [(String, [String])])
    func `links are parsed with their relation types, even if malformed`(value: String, expected: [String]) {
        #expect(next(value) == expected)
    }

    @Test func `a link has its anchor`() {
        #expect(WebLink.links(in: #"<b>; rel=next; anchor="/other", <c>; rel=next"#).map(\.anchor) == ["/other", nil])
    }

    @Test func `a response has the links of all its header fields`() {
        var headers = HTTPHeaders()
        headers.append(name: "Link", value: "<a>; rel=prev")
        headers.append(name: "link", value: "<b>; rel=next, <c>; rel=last")
        let response = HTTPURLResponse(url: nil, statusCode: 200, headers: headers)
        #expect(response.links.map(\.target) == ["a", "b", "c"])
        #expect(response.links.map(\.relations) == [["prev"], ["next"], ["last"]])
    }
}
