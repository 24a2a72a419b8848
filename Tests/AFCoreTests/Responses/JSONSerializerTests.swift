import AFCore
import Dispatch
import FoundationEssentials
import TestSupport
import Testing

struct JSONSerializerTests {
    private func read(
        _ text: String,
        _ options: JSONResponseSerializer.ReadingOptions = .allowFragments
    ) throws -> any Sendable {
        try JSONResponseSerializer(options: options).serialize(
            request: nil, response: nil, data: Data(text.utf8), error: nil)
    }

    @Test func `JSON becomes dictionaries, arrays and plain values`() throws {
        let text = #"{"a":[1,-2.5,"x",true,false,null],"b":{"c":{}},"d":18446744073709551615,"e":1e300,"f":0}"#
        let object = try #require(try read(text) as? [String: any Sendable])
        let list = try #require(object["a"] as? [any Sendable])
        #expect(list[0] as? Int == 1 && list[1] as? Double == -2.5 && list[2] as? String == "x")
        #expect(list[3] as? Bool == true && list[4] as? Bool == false && list[5] is JSONNull)
        #expect(list[0] as? Bool == nil && list[3] as? Int == nil)
        #expect((object["b"] as? [String: any Sendable])?["c"] is [String: any Sendable])
        #expect(object["d"] as? UInt64 == .max && object["e"] as? Double == 1e300 && object["f"] as? Int == 0)
    }

    @Test func `values that were read can be serialized again`() throws {
        let text = #"{"a":[1,2.5,"ü",true,null],"b":{}}"#
        let object = try read(text)
        let request = try JSONEncoding(options: .sortedKeys).encode(
            URLRequest(url: try "http://h".asURL()), withJSONObject: object)
        #expect(request.httpBody == Data(text.utf8))
    }

    @Test func `a fragment is read only if it is allowed`() throws {
        #expect(try read("7") as? Int == 7)
        #expect(try read("null") is JSONNull)
        #expect(throws: AFError.self) { try read("7", []) }
        #expect(try read("[7]", []) as? [any Sendable] as? [Int] == [7])
    }

    @Test func `strings are unescaped`() throws {
        let text = #""\"\\\/\b\f\n\r\t\u00fc\u20AC\ud83c\udf89 ü🎉""#
        #expect(try read(text) as? String == "\"\\/\u{8}\u{C}\n\r\tü€🎉 ü🎉")
    }

    @Test func `spaces and a byte order mark are skipped, and the last value of a name is used`() throws {
        let object = try read("\u{FEFF} \t\r\n{ \"a\" : 1 , \"a\" : [ ] , \"\" : { } } ") as? [String: any Sendable]
        #expect(object?.count == 2 && (object?["a"] as? [any Sendable])?.isEmpty == true)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("-9223372036854775808", Int.min), ("1.0", 1.0), ("1E2", 100.0), ("-1.5e-1", -0.15),
            ("9223372036854775808", UInt64(1) << 63), ("100000000000000000000", 1e20),
        ] as [(String, any Sendable)])
    func `integers are Int, UInt64 or Double by size, others are Double`(text: String, number: any Sendable) throws {
        #expect(try read(text) as? AnyHashable == number as? AnyHashable)
        #expect(type(of: try read(text)) == type(of: number))
    }

    @Test func `JSON that is nested too deeply is rejected`() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(try read(nested(512)) is [any Sendable])
        #expect(throws: AFError.self) { try read(nested(513)) }
        #expect(throws: AFError.self) { try read(nested(100_000)) }
    }

    @Test(arguments: [
        "{", "[", "nope", "nul", "nulll", "[1,]", "[,1]", "[1 2]", #"{"a":1} x"#, #"{"a":}"#, #"{"a" 1}"#, "{1:2}",
        #"{"a":1,}"#, "01", "1.", ".1", "-", "+1", "1e", "1e+", "1e999", "NaN", "'a'", #""a"#, #""\x""#, #""\u12""#,
        #""\ud800""#, #""\ud800\u0041""#, #""\udc00""#, "\"\n\"", " ",
    ])
    func `invalid JSON is an error`(text: String) {
        let error = #expect(throws: AFError.self) { try read(text) }
        guard case .responseSerializationFailed(.jsonSerializationFailed) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(arguments: [
        ("[1,}", "the character at byte 4 is not allowed"), ("[1,", "it ends too early, after byte 3"),
        ("[tru", "it ends too early, after byte 4"), ("[1e999]", "the character at byte 2 is not allowed"),
        (#"["\ud800", 1]"#, "the character at byte 3 is not allowed"),
        (#"["\ud800", }"#, "the character at byte 12 is not allowed"),
        ("[today]", "the character at byte 2 is not allowed"),
        ("[] 1", "the character at byte 4 is not allowed"),
    ])
    func `the error of invalid JSON has the byte position`(text: String, place: String) {
        let error = #expect(throws: AFError.self) { try read(text) }
        #expect(error?.localizedDescription == "The response is not JSON: \(place).")
    }

    @Test func `invalid UTF-8 is an error`() {
        let data = Data([0x22, 0xFF, 0x22])
        #expect(throws: AFError.self) {
            try JSONResponseSerializer().serialize(request: nil, response: nil, data: data, error: nil)
        }
    }

    @Test func `an empty body is null if that is allowed`() throws {
        let response = HTTPURLResponse(url: try "http://h".asURL(), statusCode: 204, headers: [])
        let serializer: some ResponseSerializer<any Sendable> = .json(dataPreprocessor: .googleXSSI)
        #expect(try serializer.serialize(request: nil, response: response, data: nil, error: nil) is JSONNull)
        #expect(throws: AFError.self) { try serializer.serialize(request: nil, response: nil, data: nil, error: nil) }
        let guarded = Data(")]}',\n[1]".utf8)
        let list = try serializer.serialize(request: nil, response: nil, data: guarded, error: nil)
        #expect((list as? [any Sendable])?.first as? Int == 1)
    }

    @Test(.timeLimit(.minutes(5))) func `data requests and downloads serialize JSON, with tasks and with handlers`()
        async throws
    {
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: #"{"a":[1]}"#) })
        @Sendable func check(_ value: (any Sendable)?) {
            #expect(((value as? [String: any Sendable])?["a"] as? [any Sendable])?.first as? Int == 1)
        }
        check(try await session.request("http://h/").serializingJSON().value)
        check(try await session.download("http://h/").serializingJSON().value)
        let queue = DispatchQueue(label: "json")
        await withCheckedContinuation { waiter in
            session.request("http://h/").responseJSON(queue: queue) { response in
                check(response.value)
                waiter.resume()
            }
        }
        await withCheckedContinuation { waiter in
            session.download("http://h/").responseJSON(queue: queue, options: []) { response in
                check(response.value)
                waiter.resume()
            }
        }
        await withCheckedContinuation { waiter in
            session.request("http://h/").response(queue: queue, responseSerializer: .json) { response in
                check(response.value)
                waiter.resume()
            }
        }
        await withCheckedContinuation { waiter in
            session.download("http://h/").response(queue: queue, responseSerializer: .json(options: [])) { response in
                check(response.value)
                waiter.resume()
            }
        }
    }
}
