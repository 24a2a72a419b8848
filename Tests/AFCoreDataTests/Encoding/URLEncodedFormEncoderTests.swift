import AFCore
import FoundationEssentials
import Testing

/// The pairs of a value, with the brackets of names readable.
private func pairs(_ value: some Encodable, _ encoder: URLEncodedFormEncoder = URLEncodedFormEncoder()) throws -> String
{
    let text: String = try encoder.encode(value)
    return text.split(separator: "%5B").joined(separator: "[").split(separator: "%5D", omittingEmptySubsequences: false)
        .joined(separator: "]")
}

private struct Sparse: Encodable {
    var a: Int?
    var b = 2
}

private struct InnerKeys: Encodable {
    struct Inner: Encodable { let innerKey = "v" }
    let outerKey = Inner()
}

private struct Year: DateTextFormatting {
    func string(from date: Date) -> String { String(date.ISO8601Format().prefix(4)) }
}

struct URLEncodedFormEncoderTests {
    static let date = Date(timeIntervalSinceReferenceDate: 123.456)

    @Test(
        arguments: [
            (.brackets, "k[]=1&k[]=2"), (.noBrackets, "k=1&k=2"), (.indexInBrackets, "k[0]=1&k[1]=2"),
            (.custom { "\($0).\($1)" }, "k.0=1&k.1=2"),
        ] as [(URLEncodedFormEncoder.ArrayEncoding, String)])
    func `arrays repeat their name`(encoding: URLEncodedFormEncoder.ArrayEncoding, result: String) throws {
        let encoder = URLEncodedFormEncoder(arrayEncoding: encoding)
        #expect(try pairs(["k": [1, 2]], encoder) == result)
    }

    @Test func `arrays nest`() throws {
        #expect(try pairs(["k": [[1, 2], [3]]]) == "k[][]=1&k[][]=2&k[][]=3")
        #expect(try pairs(["k": [["a": 1], ["a": 2]]]) == "k[][a]=1&k[][a]=2")
    }

    @Test func `brackets are escaped on the wire`() throws {
        let text: String = try URLEncodedFormEncoder().encode(["k": ["a": [1]]])
        #expect(text == "k%5Ba%5D%5B%5D=1")
        let data: Data = try URLEncodedFormEncoder().encode(["k": 1])
        #expect(data == Data("k=1".utf8))
    }

    @Test(
        arguments: [(.numeric, "f=0&t=1"), (.literal, "f=false&t=true")]
            as [(URLEncodedFormEncoder.BoolEncoding, String)])
    func `Booleans are numbers or words`(encoding: URLEncodedFormEncoder.BoolEncoding, result: String) throws {
        #expect(try pairs(["t": true, "f": false], URLEncodedFormEncoder(boolEncoding: encoding)) == result)
    }

    @Test(
        arguments: [
            (.base64, "k=aGk%3D"), (.deferredToData, "k[]=104&k[]=105"), (.custom { "\($0.count)" }, "k=2"),
        ] as [(URLEncodedFormEncoder.DataEncoding, String)])
    func `data has its encodings`(encoding: URLEncodedFormEncoder.DataEncoding, result: String) throws {
        #expect(try pairs(["k": Data("hi".utf8)], URLEncodedFormEncoder(dataEncoding: encoding)) == result)
    }

    @Test(
        arguments: [
            (.deferredToDate, "k=123.456"), (.secondsSince1970, "k=978307323.456"),
            (.millisecondsSince1970, "k=978307323456.0"), (.iso8601, "k=2001-01-01T00%3A02%3A03Z"),
            (.formatted(Year()), "k=2001"), (.custom { "\($0 > .distantPast)" }, "k=true"),
        ] as [(URLEncodedFormEncoder.DateEncoding, String)])
    func `dates have their encodings`(encoding: URLEncodedFormEncoder.DateEncoding, result: String) throws {
        #expect(try pairs(["k": Self.date], URLEncodedFormEncoder(dateEncoding: encoding)) == result)
    }

    @Test(arguments: [
        ("oneTwoThree", "one_two_three", "one-two-three"), ("oneURLThree", "one_url_three", "one-url-three"),
        ("someID", "some_id", "some-id"), ("one1Two", "one1_two", "one1-two"), ("URLOne", "u_rl_one", "u-rl-one"),
        ("plain", "plain", "plain"), ("A", "a", "a"),
    ])
    func `camel case becomes words`(key: String, snake: String, kebab: String) throws {
        #expect(try pairs([key: 1], URLEncodedFormEncoder(keyEncoding: .convertToSnakeCase)) == "\(snake)=1")
        #expect(try pairs([key: 1], URLEncodedFormEncoder(keyEncoding: .convertToKebabCase)) == "\(kebab)=1")
    }

    @Test(
        arguments: [
            (.useDefaultKeys, "outerKey[innerKey]"), (.convertToSnakeCase, "outer_key[inner_key]"),
            (.convertToKebabCase, "outer-key[inner-key]"), (.capitalized, "OuterKey[innerKey]"),
            (.uppercased, "OUTERKEY[INNERKEY]"), (.lowercased, "outerkey[innerkey]"),
            (.custom { "_\($0)" }, "_outerKey[innerKey]"),
        ] as [(URLEncodedFormEncoder.KeyEncoding, String)])
    func `a key encoding is applied to the complete name once`(
        encoding: URLEncodedFormEncoder.KeyEncoding, name: String
    ) throws {
        #expect(try pairs(InnerKeys(), URLEncodedFormEncoder(keyEncoding: encoding)) == "\(name)=v")
    }

    @Test(
        arguments: [
            (.brackets, "a[b][c]=v"), (.dots, "a.b.c=v"), (.init { "-\($0)" }, "a-b-c=v"),
        ] as [(URLEncodedFormEncoder.KeyPathEncoding, String)])
    func `key paths have their encodings`(encoding: URLEncodedFormEncoder.KeyPathEncoding, result: String) throws {
        #expect(try pairs(["a": ["b": ["c": "v"]]], URLEncodedFormEncoder(keyPathEncoding: encoding)) == result)
    }

    @Test(
        arguments: [
            (.dropKey, "b=2"), (.dropValue, "a=&b=2"), (.null, "a=null&b=2"), (.init { "N" }, "a=N&b=2"),
        ] as [(URLEncodedFormEncoder.NilEncoding, String)])
    func `nil has its encodings`(encoding: URLEncodedFormEncoder.NilEncoding, result: String) throws {
        let encoder = URLEncodedFormEncoder(nilEncoding: encoding)
        #expect(try pairs(Sparse(), encoder) == result)
        #expect(try pairs(["a": nil, "b": 2] as [String: Int?], encoder) == result)
    }

    @Test func `optionals of every type may be nil`() throws {
        struct Everything: Encodable {
            struct Thing: Encodable {}
            var a: Bool?, b: String?, c: Double?, d: Float?, e: Int?, f: Int8?, g: Int16?, h: Int32?, i: Int64?
            var j: UInt?, k: UInt8?, l: UInt16?, m: UInt32?, n: UInt64?, o: Thing?, p: Date?
        }
        let names = "abcdefghijklmnop".map { "\($0)=null" }.joined(separator: "&")
        #expect(try pairs(Everything(), URLEncodedFormEncoder(nilEncoding: .null)) == names)
        #expect(try pairs(Everything()) == "")
    }

    @Test func `a missing element is dropped or written`() throws {
        let list = ["k": [1, nil, 3]]
        #expect(try pairs(list) == "k[]=1&k[]=3")
        #expect(try pairs(list, URLEncodedFormEncoder(nilEncoding: .null)) == "k[]=1&k[]=3&k[]=null")
    }

    @Test func `spaces are escaped or pluses`() throws {
        #expect(try pairs(["a b": "c d+e"]) == "a%20b=c%20d%2Be")
        #expect(try pairs(["a b": "c d+e"], URLEncodedFormEncoder(spaceEncoding: .plusReplaced)) == "a+b=c+d%2Be")
    }

    @Test func `pairs are sorted at every level unless the order is preserved`() throws {
        struct Ordered: Encodable {
            let z = 1
            let list = [2, 1]
            let a = 3
        }
        #expect(try pairs(Ordered()) == "a=3&list[]=1&list[]=2&z=1")
        #expect(
            try pairs(Ordered(), URLEncodedFormEncoder(alphabetizeKeyValuePairs: false)) == "z=1&list[]=2&list[]=1&a=3")
    }

    @Test func `numbers keep their digits`() throws {
        struct Numbers: Encodable {
            let a = Decimal(string: "1.10")
            let b = Float(0.1)
            let c = 1.0
            let d = Int8.min
            let e = UInt64.max
            let f: UInt8 = 1, g: UInt16 = 2, h: UInt32 = 3, i: Int16 = 4, j: Int32 = 5, k: Int64 = 6, l: UInt = 7
        }
        #expect(
            try pairs(Numbers())
                == "a=1.1&b=0.1&c=1.0&d=-128&e=18446744073709551615&f=1&g=2&h=3&i=4&j=5&k=6&l=7"
        )
    }

    @Test func `URLs are encoded as strings, not as arrays as in Alamofire`() throws {
        #expect(try pairs(["k": try "http://a/b?c".asURL()]) == "k=http%3A//a/b?c")
    }

    @Test func `reserved characters are escaped unless allowed`() throws {
        let reserved = ":#[]@!$&'()*+,;=%\"<>\\^`{|}ü"
        let text: String = try URLEncodedFormEncoder().encode(["k": reserved])
        #expect(
            text == "k=%3A%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%22%3C%3E%5C%5E%60%7B%7C%7D%C3%BC"
        )
        let free: String = try URLEncodedFormEncoder().encode(["k": "?/~-._aZ9"])
        #expect(free == "k=?/~-._aZ9")
        let looser = URLEncodedFormEncoder(
            allowedCharacters: .afURLQueryAllowed.union(AllowedCharacters(charactersIn: "[]:ü")).subtracting(
                AllowedCharacters(charactersIn: "/"))
        )
        let list: String = try looser.encode(["k": ["a:b/ü"]])
        #expect(list == "k[]=a:b%2F%C3%BC")
        #expect(looser.allowedCharacters.contains("[") && !looser.allowedCharacters.contains("ü"))
    }

    @Test func `empty containers contribute nothing`() throws {
        #expect(try pairs(["k": [Int]()]) == "")
        #expect(try pairs(["k": [String: Int]()]) == "")
        #expect(try pairs(["k": [[1], []]]) == "k[][]=1")
        #expect(try pairs([String: Int]()) == "")
    }

    @Test(arguments: [1, "text", [1, 2], Int?.none] as [any Encodable & Sendable])
    func `a value without names is rejected`(value: any Encodable & Sendable) {
        let error = #expect(throws: URLEncodedFormEncoder.Error.self) {
            let _: String = try URLEncodedFormEncoder().encode(value)
        }
        #expect(error?.errorDescription?.contains("must have names") == true)
    }

    @Test func `a subclass is encoded beside its superclass`() throws {
        class Animal: Encodable { let name = "Rex" }
        final class Dog: Animal {
            enum CodingKeys: CodingKey { case age }
            override func encode(to encoder: any Encoder) throws {
                try super.encode(to: encoder)
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(3, forKey: .age)
                try super.encode(to: container.superEncoder())
            }
        }
        #expect(try pairs(Dog()) == "age=3&name=Rex&super[name]=Rex")
    }

    @Test func `manual containers nest, and the last value of a name counts`() throws {
        struct Handmade: Encodable {
            enum Keys: String, CodingKey { case list, map, twice }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                var list = container.nestedUnkeyedContainer(forKey: .list)
                var inner = list.nestedContainer(keyedBy: Keys.self)
                try inner.encode(1, forKey: .twice)
                var row = list.nestedUnkeyedContainer()
                try row.encode(list.count)
                try row.encodeNil()
                var map = container.nestedContainer(keyedBy: Keys.self, forKey: .map)
                try map.encode("x", forKey: .list)
                try container.encode(1, forKey: .twice)
                try container.encode(2, forKey: .twice)
            }
        }
        #expect(try pairs(Handmade()) == "list[][]=2&list[][twice]=1&map[list]=x&twice=2")
    }

    @Test func `a container that is opened again keeps its values`() throws {
        struct Reopened: Encodable {
            enum Keys: String, CodingKey { case map, list, other }
            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: Keys.self)
                for (number, key) in [Keys.list, .other].enumerated() {
                    var map = container.nestedContainer(keyedBy: Keys.self, forKey: .map)
                    try map.encode(number, forKey: key)
                    var list = container.nestedUnkeyedContainer(forKey: .list)
                    try list.encode(number)
                }
                var above = container.superEncoder(forKey: .map).container(keyedBy: Keys.self)
                try above.encode(2, forKey: .map)
                // Another value replaces it.
                var other = container.nestedUnkeyedContainer(forKey: .other)
                try other.encode(3)
                try container.encode(4, forKey: .other)
            }
        }
        #expect(try pairs(Reopened()) == "list[]=0&list[]=1&map[list]=0&map[map]=2&map[other]=1&other=4")
    }
}

struct URLEncodedFormParameterEncoderTests {
    private func request(_ method: HTTPMethod, _ url: String = "http://h/p?z=1") throws -> URLRequest {
        var request = URLRequest(url: try url.asURL())
        request.method = method
        return request
    }

    @Test(arguments: [HTTPMethod.get, .head, .delete])
    func `these methods have their parameters in the URL`(method: HTTPMethod) throws {
        let encoded = try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request(method))
        #expect(encoded.url?.absoluteString == "http://h/p?z=1&a=1")
        #expect(encoded.httpBody == nil)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .query])
    func `all others have them in the body, as a form`(method: HTTPMethod) throws {
        let encoded = try URLEncodedFormParameterEncoder().encode(["a": 1], into: request(method))
        #expect(encoded.url?.absoluteString == "http://h/p?z=1")
        #expect(encoded.httpBody == Data("a=1".utf8))
        #expect(encoded.headers["Content-Type"] == "application/x-www-form-urlencoded; charset=utf-8")
    }

    @Test func `the destination can be fixed, and an existing content type is preserved`() throws {
        func encode(_ encoder: some ParameterEncoder, _ method: HTTPMethod) throws -> URLRequest {
            var request = try request(method)
            request.headers = ["Content-Type": "mine"]
            return try encoder.encode(["a": [true]], into: request)
        }
        let query = try encode(.urlEncodedForm(destination: .queryString), .post)
        #expect(query.url?.absoluteString == "http://h/p?z=1&a%5B%5D=1")
        let literal = URLEncodedFormEncoder(arrayEncoding: .noBrackets, boolEncoding: .literal)
        let body = try encode(.urlEncodedForm(encoder: literal, destination: .httpBody), .get)
        #expect(body.httpBody == Data("a=true".utf8))
        #expect(body.headers["Content-Type"] == "mine")
    }

    @Test(arguments: ["http://h/p?z=1", "http://h/p"])
    func `empty parameters add no trailing ampersand, unlike in Alamofire`(url: String) throws {
        let encoded = try URLEncodedFormParameterEncoder.default.encode([String: Int](), into: request(.get, url))
        #expect(encoded.url?.absoluteString == url)
    }

    @Test func `without parameters the request is unchanged`() throws {
        let post = try request(.post)
        #expect(try URLEncodedFormParameterEncoder.default.encode([String: Int]?.none, into: post) == post)
    }

    @Test func `a request without URL or method is rejected`() throws {
        var request = try request(.get)
        request.httpMethod = nil
        let method = #expect(throws: AFError.self) {
            try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request)
        }
        guard case .parameterEncoderFailed(.missingRequiredComponent(.httpMethod("nil"))) = method else {
            Issue.record("\(String(describing: method))")
            return
        }
        request.url = nil
        let url = #expect(throws: AFError.self) {
            try URLEncodedFormParameterEncoder.default.encode(["a": 1], into: request)
        }
        guard case .parameterEncoderFailed(.missingRequiredComponent(.url)) = url else {
            Issue.record("\(String(describing: url))")
            return
        }
    }

    @Test func `a failure has the error of parameter encoders`() throws {
        let error = #expect(throws: AFError.self) {
            try URLEncodedFormParameterEncoder.default.encode([1], into: request(.get))
        }
        #expect(error?.isParameterEncoderError == true)
        #expect(error?.underlyingError as? URLEncodedFormEncoder.Error == .invalidRootObject("an array"))
    }

    @Test func `it is the default encoder of a session's requests`() throws {
        struct Wish: Encodable, Sendable { let name = "a b" }
        let session = Session(startRequestsImmediately: false)
        let request = try session.request("http://h/", parameters: Wish()).convertible.asURLRequest()
        #expect(request.url?.absoluteString == "http://h/?name=a%20b")
        let literal = try session.request("http://h/", parameters: ["t": true]).convertible.asURLRequest()
        #expect(literal.url?.absoluteString == "http://h/?t=1")
        let mixed: Parameters = ["a": 1, "b": "x"]
        let loose = try session.request("http://h/", method: .post, parameters: mixed).convertible.asURLRequest()
        #expect(loose.httpBody == Data("a=1&b=x".utf8))
    }
}
