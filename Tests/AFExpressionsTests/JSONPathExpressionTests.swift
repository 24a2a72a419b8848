import AFJSON
import Testing

@testable import AFExpressions

@Suite struct JSONPathExpressionTests {
    private static let store = """
        {"store": {"book": [
          {"category": "reference", "author": "Nigel Rees", "title": "Sayings", "price": 8.95},
          {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword", "price": 12.99},
          {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553", "price": 8.99},
          {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord", "isbn": "0-395", "price": 22.99}],
          "bicycle": {"color": "red", "price": 399}}, "n": [0, 1, 2, 3, 4, 5], "o": {"a b": 1, "'": 2, "é": 3}, "dup": 1, "dup": 2, "nul": null}
        """

    private func select(_ path: String, _ document: String = Self.store) throws -> [String] {
        let cursor = try JSONCursor(Array(document.utf8))
        return try JSONPathExpression(path).positions(in: cursor).map { position in
            var cursor = cursor
            cursor.move(to: position)
            return cursor.valueText
        }
    }

    @Test(arguments: [
        ("$.store.bicycle.color", ["\"red\""]), ("$['store']['bicycle'][\"color\"]", ["\"red\""]),
        ("$ .store .bicycle\n['color']", ["\"red\""]),
        ("$.n[0]", ["0"]), ("$.n[-1]", ["5"]), ("$.n[6]", []), ("$.n[-7]", []), ("$.n[1:3]", ["1", "2"]),
        ("$.n[:2]", ["0", "1"]), ("$.n[4:]", ["4", "5"]),
        ("$.n[::2]", ["0", "2", "4"]), ("$.n[::-2]", ["5", "3", "1"]), ("$.n[3:0:-1]", ["3", "2", "1"]),
        ("$.n[-2:]", ["4", "5"]), ("$.n[::0]", []), ("$.n[ 1 : 5 : 3 ]", ["1", "4"]),
        ("$.n[0,2,0]", ["0", "2", "0"]), ("$.n['a',1]", ["1"]), ("$.n.*", ["0", "1", "2", "3", "4", "5"]),
        ("$.o[*]", ["1", "2", "3"]), ("$.o['a b']", ["1"]), ("$.o['\\'']", ["2"]),
        ("$.o[\"'\"]", ["2"]), ("$.o.é", ["3"]), ("$.o['\\u00e9']", ["3"]), ("$.dup", ["2"]), ("$.nul", ["null"]),
        ("$.x", []), ("$.n.x", []), ("$.store.book.author", []),
        ("$..author", ["\"Nigel Rees\"", "\"Evelyn Waugh\"", "\"Herman Melville\"", "\"J. R. R. Tolkien\""]),
        ("$.store..price", ["8.95", "12.99", "8.99", "22.99", "399"]),
        ("$..book[2].title", ["\"Moby Dick\""]), ("$..[?@.color].price", ["399"]),
        ("$..book[?@.isbn].title", ["\"Moby Dick\"", "\"The Lord\""]),
        ("$..book[?(@.price < 10)].title", ["\"Sayings\"", "\"Moby Dick\""]),
        ("$..book[?!@.isbn && @.price>10].title", ["\"Sword\""]),
        ("$..book[?@.category == 'reference' || @.price >= 22.99].title", ["\"Sayings\"", "\"The Lord\""]),
        ("$..book[?(@.isbn && (@.price < 9))].title", ["\"Moby Dick\""]),
        ("$..book[?@.title == $.store.book[1].title].price", ["12.99"]), ("$.n[?@ > 3]", ["4", "5"]),
        ("$.n[?@ == 1.0]", ["1"]), ("$.n[?@ != 1]", ["0", "2", "3", "4", "5"]), ("$.n[?@ <= 1]", ["0", "1"]),
        ("$.n[?@ > '3']", []), ("$[?@ == null]", ["null"]), ("$[?@.x == @.y].color", []), ("$.o[?@ == true]", []),
        ("$[?length(@) == 6][0]", ["0"]), ("$[?count(@.*) == 3]['a b']", ["1"]),
        ("$..[?length(@.color) == 3].color", ["\"red\""]),
        ("$..book[?match(@.title, 'S.*')].price", ["8.95", "12.99"]),
        ("$..book[?search(@.title, 'o')].price", ["12.99", "8.99", "22.99"]),
        ("$..book[?match(@.title, 'S')].price", []), ("$..book[?value(@..isbn) == '0-395'].title", ["\"The Lord\""]),
        ("$..book[?!(@.isbn)].price", ["8.95", "12.99"]),
        ("$..book[?match(@.title, @.title)].price", ["8.95", "12.99", "8.99", "22.99"]),
        ("$..book[-1:,0].price", ["22.99", "8.95"]), ("$.n[?@ < 1 || @ > 4]", ["0", "5"]),
        ("$.store.book[?@['price'] == 8.95].title", ["\"Sayings\""]),
    ])
    func `a path selects values in order`(path: String, values: [String]) throws {
        #expect(try select(path) == values)
    }

    @Test func `the root and all descendants`() throws {
        #expect(try select("$", "[1, 2]") == ["[1, 2]"])
        #expect(try select("$..*", "{\"a\":[1,{\"b\":2}]}") == ["[1,{\"b\":2}]", "1", "{\"b\":2}", "2"])
        #expect(try select("$..[0]", "[[1],[2]]") == ["[1]", "1", "2"])
    }

    @Test(arguments: [
        ("$.*", ["3", "{\"n\": 5, \"n\": 6}", "4"]), ("$..n", ["6"]), ("$.b.*", ["6"]), ("$[?@ < 4]", ["3"]),
    ])
    func `the last one of repeated members counts`(path: String, values: [String]) throws {
        let document = #"{"a": 1, "b": {"n": 5, "n": 6}, "\u0061": 3, "é": 4}"#
        #expect(try select(path, document) == values)
    }

    @Test func `members are repeated if their names have the same characters`() throws {
        var cursor = try JSONCursor(Array("{\"\u{E9}\": 1, \"e\u{301}\": 2, \"\\u00E9\": 3}".utf8))
        let text = HurlValue(reading: &cursor).jsonText?.compactText ?? ""
        #expect(Array(text.unicodeScalars) == Array("{\"\u{E9}\":3,\"e\u{301}\":2}".unicodeScalars))
    }

    @Test(arguments: [
        ("", 0), ("a", 0), ("$.", 2), ("$..", 3), ("$.a.", 4), ("$[", 2), ("$[]", 2), ("$['a'", 5), ("$[a]", 2),
        ("$.1", 2), ("$.a-b", 3), ("$ ", 1), ("$[01]", 2), ("$[-0]", 2), ("$[-]", 3),
        ("$[9007199254740993]", 2), ("$[?]", 3), ("$[?@]x", 5), ("$[?@.a == ]", 10), ("$[?1]", 4), ("$[?'a']", 6),
        ("$[?@.* == 1]", 11), ("$[?length(@.*) == 1]", 13), ("$[?count(1) == 1]", 10),
        ("$[?match(@.a)]", 13), ("$[?foo(@.a)]", 3), ("$[?length(@.a)]", 14), ("$[?match(@.a, 'b') == true]", 26),
        ("$['\\x']", 5), ("$['a\"\\\"']", 6), ("$[\"\\'\"]", 4), ("$['\\ud800']", 9), ("$[(1)]", 2),
        ("$.a[1:2:3:4]", 9), ("$[?@.a = 1]", 7), ("$[?!!@.a]", 4), ("$[?(@.a]", 7), ("$['a','b',]", 10),
    ])
    func `a malformed path has the offset of its error`(path: String, offset: Int) throws {
        #expect(throws: JSONPathError(offset: offset)) { try JSONPathExpression(path) }
    }

    @Test func `nesting is limited`() {
        let nested = "$" + String(repeating: "[?@", count: 1000) + String(repeating: "]", count: 1000)
        #expect(throws: JSONPathError.self) { try JSONPathExpression(nested) }
        let parentheses = "$[?" + String(repeating: "(", count: 100_000)
        #expect(throws: JSONPathError.self) { try JSONPathExpression(parentheses) }
    }

    @Test func `quadratic filters end with an error`() throws {
        let document = "[" + String(repeating: "1,", count: 1000) + "1]"
        let cursor = try JSONCursor(Array(document.utf8))
        #expect(throws: JSONPathExpression.LimitError()) {
            try JSONPathExpression("$[?count($..*) > 1]").positions(in: cursor, maximumSteps: 1 << 16)
        }
    }

    @Test func `an invalid regular expression matches nothing`() throws {
        #expect(try select("$[?match(@, '(')]", "[\"(\"]").isEmpty)
    }
}
