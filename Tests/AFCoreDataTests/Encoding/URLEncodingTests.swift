import AFCore
import FoundationEssentials
import Testing

struct URLEncodingTests {
    private func query(
        _ parameters: Parameters?,
        url: String = "http://h/p",
        encoding: URLEncoding = .default
    ) throws -> String? {
        let request = URLRequest(url: try url.asURL())
        let encoded = try encoding.encode(request, with: parameters).url?.absoluteString
        return encoded.map { String($0.dropFirst("http://h/p".count)) }
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete])
    func `these methods have their parameters in the URL`(method: HTTPMethod) throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        request.method = method
        let encoded = try URLEncoding.default.encode(request, with: ["a": 1])
        #expect(encoded.url?.absoluteString == "http://h/p?a=1")
        #expect(encoded.httpBody == nil)
        #expect(encoded.headers.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .query, HTTPMethod(rawValue: "get")])
    func `all others have them in the body, as a form`(method: HTTPMethod) throws {
        var request = URLRequest(url: try "http://h/p?z=1".asURL())
        request.method = method
        let encoded = try URLEncoding.default.encode(request, with: ["b": "x y", "a": 1])
        #expect(encoded.url?.absoluteString == "http://h/p?z=1")
        #expect(encoded.httpBody == Data("a=1&b=x%20y".utf8))
        #expect(encoded.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test func `an existing content type is preserved`() throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        request.headers = ["content-type": "mine"]
        let encoded = try URLEncoding.httpBody.encode(request, with: ["a": 1])
        #expect(encoded.headers.description == "content-type: mine")
    }

    @Test func `the destination can be fixed`() throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        #expect(try URLEncoding.httpBody.encode(request, with: ["a": 1]).httpBody == Data("a=1".utf8))
        request.method = .post
        #expect(try URLEncoding.queryString.encode(request, with: ["a": 1]).url?.absoluteString == "http://h/p?a=1")
    }

    @Test func `without parameters the request is unchanged`() throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        request.method = .post
        #expect(try URLEncoding.default.encode(request, with: nil) == request)
    }

    @Test func `empty parameters make an empty form`() throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        request.method = .post
        let encoded = try URLEncoding.default.encode(request, with: [:])
        #expect(encoded.httpBody == Data())
        #expect(encoded.headers["Content-Type"] != nil)
    }

    @Test(arguments: [
        ("http://h/p", "?a=1"), ("http://h/p?z=1", "?z=1&a=1"), ("http://h/p#f", "?a=1#f"),
        ("http://h/p?z=%20#f", "?z=%20&a=1#f"), ("http://h/p?", "?a=1"), ("http://h/p?z=1&", "?z=1&a=1"),
    ])
    func `parameters are appended to an existing query, before the fragment`(url: String, result: String) throws {
        #expect(try query(["a": 1], url: url) == result)
    }

    @Test(arguments: ["http://h/p?z=1", "http://h/p"])
    func `empty parameters add no trailing ampersand, unlike in Alamofire`(url: String) throws {
        let missing: Parameters = ["a": Int?.none, "b": [Int](), "c": [String: Int]()]
        #expect(try query([:], url: url) == String(url.dropFirst("http://h/p".count)))
        #expect(try query(missing, url: url) == String(url.dropFirst("http://h/p".count)))
    }

    @Test func `a URL is encoded as a string, not as an array as in Alamofire`() throws {
        #expect(try query(["u": "http://a/b?c".asURL()]) == "?u=http%3A//a/b?c")
    }

    @Test func `keys are sorted at every level`() throws {
        #expect(
            try query(["b": ["y": 1, "x": ["q": 2, "p": 3]] as Parameters, "a": 0])
                == "?a=0&b%5Bx%5D%5Bp%5D=3&b%5Bx%5D%5Bq%5D=2&b%5By%5D=1")
    }

    @Test func `arrays repeat their key as configured`() throws {
        let parameters: Parameters = ["k": [1, 2]]
        #expect(try query(parameters) == "?k%5B%5D=1&k%5B%5D=2")
        #expect(try query(parameters, encoding: URLEncoding(arrayEncoding: .noBrackets)) == "?k=1&k=2")
        #expect(
            try query(parameters, encoding: URLEncoding(arrayEncoding: .indexInBrackets)) == "?k%5B0%5D=1&k%5B1%5D=2")
        let dotted = URLEncoding(arrayEncoding: .custom { "\($0).\($1)" })
        #expect(try query(parameters, encoding: dotted) == "?k.0=1&k.1=2")
    }

    @Test func `Booleans are digits or words`() throws {
        #expect(try query(["a": true, "b": false]) == "?a=1&b=0")
        #expect(try query(["a": true, "b": false], encoding: URLEncoding(boolEncoding: .literal)) == "?a=true&b=false")
        #expect(try query(["a": 1, "b": 0], encoding: URLEncoding(boolEncoding: .literal)) == "?a=1&b=0")
    }

    @Test func `numbers have one notation for all types`() throws {
        let parameters: Parameters = [
            "a": 1.0, "b": 1.5, "c": Float(2), "d": UInt64.max, "e": Decimal(string: "1.10"), "f": -0.0, "g": 1e20,
        ]
        #expect(try query(parameters) == "?a=1&b=1.5&c=2&d=18446744073709551615&e=1.1&f=0&g=1e%2B20")
    }

    @Test func `optionals are encoded as their value, or omitted`() throws {
        let parameters: Parameters = [
            "a": Int?.some(1), "b": String?.none, "c": [1, nil, 3], "d": JSONNull(), "e": URL?.none,
        ]
        #expect(try query(parameters) == "?a=1&c%5B%5D=1&c%5B%5D=3&d=null")
        let nested: Parameters = ["a": Optional(Optional(UUID?.none)), "b": Optional(Optional(true))]
        #expect(try query(nested) == "?b=1")
    }

    @Test func `all reserved characters are escaped`() {
        let reserved = ":#[]@!$&'()*+,;=%\"<>\\^`{|} \u{7F}\n"
        let escaped = URLEncoding.default.escape(reserved)
        #expect(escaped == "%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%22%3C%3E%5C%5E%60%7B%7C%7D%20%7F%0A")
        #expect(URLEncoding.default.escape("aZ09-._~/?") == "aZ09-._~/?")
        #expect(URLEncoding.default.escape("ü🎉") == "%C3%BC%F0%9F%8E%89")
        #expect(URLEncoding.default.escape("") == "")
    }

    @Test func `a request without a URL has no query`() throws {
        var request = URLRequest(url: try "http://h/p".asURL())
        request.url = nil
        let error = #expect(throws: AFError.self) { try URLEncoding.default.encode(request, with: ["a": 1]) }
        guard case .parameterEncodingFailed(.missingURL) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
