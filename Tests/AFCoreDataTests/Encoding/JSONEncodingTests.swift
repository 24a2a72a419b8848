import AFCore
import FoundationEssentials
import Testing

struct JSONEncodingTests {
    private func json(_ object: Any, _ options: JSONEncoding.WritingOptions = .sortedKeys) throws -> String? {
        let request = URLRequest(url: try "http://h".asURL())
        let encoded = try JSONEncoding(options: options).encode(request, withJSONObject: object)
        return encoded.httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `trees of values become JSON`() throws {
        let parameters: Parameters = [
            "array": [1, 2], "bool": true, "empty": [String: Int](), "null": JSONNull(), "missing": Int?.none,
            "nested": ["list": [["x": 1.5], [Int](), "s"] as [any Sendable]], "none": [Int](), "whole": 2.0,
        ]
        #expect(
            try json(parameters)
                == #"{"array":[1,2],"bool":true,"empty":{},"missing":null,"nested":{"list":[{"x":1.5},[],"s"]},"#
                + #""none":[],"null":null,"whole":2}"#
        )
    }

    @Test func `the top level may be an array`() throws {
        #expect(try json([1, "a", false] as [Any]) == #"[1,"a",false]"#)
    }

    @Test func `strings are escaped only as JSON requires`() throws {
        let json = try json(["k\"\n": "\u{0}\u{1F}\u{8}\u{C}\t\r\\/ü🎉\u{7F}\u{2028}"])
        #expect(json == "{\"k\\\"\\n\":\"\\u0000\\u001f\\b\\f\\t\\r\\\\/ü🎉\u{7F}\u{2028}\"}")
    }

    @Test func `written JSON can be read`() throws {
        let object: Parameters = ["a": "\u{1}\"\\", "b": "🎉"]
        let data = try #require(try json(object)).utf8
        let read = try JSONDecoder().decode([String: String].self, from: Data(data))
        #expect(read == ["a": "\u{1}\"\\", "b": "🎉"])
    }

    @Test func `numbers keep their value`() throws {
        let numbers: [any Sendable] = [
            Int64.min, UInt64.max, 0.1, 1e300, Float(0.1), Decimal(string: "12345678901234567890.5"),
            9_007_199_254_740_993.0,
        ]
        #expect(
            try json(numbers)
                == "[-9223372036854775808,18446744073709551615,0.1,1e+300,0.1,12345678901234567890.5,9007199254740992.0]"
        )
    }

    @Test func `the pretty format has a line for each member`() throws {
        let text = try json(["b": [1, 2], "a": ["c": [Int]()]] as Parameters, [.prettyPrinted, .sortedKeys])
        #expect(
            text == """
                {
                  "a" : {
                    "c" : []
                  },
                  "b" : [
                    1,
                    2
                  ]
                }
                """
        )
    }

    @Test(
        arguments: ["text", 1, Double.nan, [Double.infinity], ["a": Date()], [1: 2], ["a": [UUID()]]] as [any Sendable])
    func `a value without a JSON form is rejected`(object: any Sendable) {
        let error = #expect(throws: AFError.self) { try json(object) }
        #expect(error?.isParameterEncodingError == true)
        #expect(error?.underlyingError is JSONEncoding.Error)
    }

    @Test func `the content type is set unless there is one`() throws {
        var request = URLRequest(url: try "http://h".asURL())
        #expect(try JSONEncoding.default.encode(request, with: [:]).headers["Content-Type"] == "application/json")
        request.headers = ["Content-Type": "application/vnd.api+json"]
        let encoded = try JSONEncoding.prettyPrinted.encode(request, with: ["a": 1])
        #expect(encoded.headers == request.headers)
        #expect(encoded.httpBody == Data("{\n  \"a\" : 1\n}".utf8))
    }

    @Test func `without parameters the request is unchanged`() throws {
        let request = URLRequest(url: try "http://h".asURL())
        #expect(try JSONEncoding.default.encode(request, with: nil) == request)
    }
}

struct JSONParameterEncoderTests {
    private struct Wish: Encodable {
        var name = "n"
        var count = Double(1)
    }

    private func body(_ wish: Wish?, _ encoder: some ParameterEncoder) throws -> String? {
        let request = URLRequest(url: try "http://h".asURL())
        return try encoder.encode(wish, into: request).httpBody.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `a value becomes JSON`() throws {
        #expect(try body(Wish(), .json(encoder: JSONParameterEncoder.sortedKeys.encoder)) == #"{"count":1,"name":"n"}"#)
        #expect(try body(Wish(), JSONParameterEncoder.prettyPrinted)?.contains("\n") == true)
        #expect(try body(nil, .json) == nil)
    }

    @Test func `the content type is set unless there is one`() throws {
        var request = URLRequest(url: try "http://h".asURL())
        #expect(
            try JSONParameterEncoder.default.encode(Wish(), into: request).headers["Content-Type"] == "application/json"
        )
        request.headers = ["Content-Type": "mine"]
        #expect(try JSONParameterEncoder.default.encode(Wish(), into: request).headers["Content-Type"] == "mine")
    }

    @Test func `a failure has the error of parameter encoding`() {
        let error = #expect(throws: AFError.self) { try body(Wish(count: .nan), .json) }
        #expect(error?.isParameterEncodingError == true)
        #expect(error?.underlyingError is EncodingError)
    }
}
