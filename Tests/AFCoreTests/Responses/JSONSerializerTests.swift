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

    @Test func `what was read can be written again`() throws {
        let text = #"{"a":[1,2.5,"ü",true,null],"b":{}}"#
        let object = try read(text)
        let request = try JSONEncoding(options: .sortedKeys).encode(
            URLRequest(url: try "http://h".asURL()), withJSONObject: object)
        #expect(request.httpBody == Data(text.utf8))
    }

    @Test func `a fragment is read where it is allowed`() throws {
        #expect(try read("7") as? Int == 7)
        #expect(try read("null") is JSONNull)
        #expect(throws: AFError.self) { try read("7", []) }
        #expect(try read("[7]", []) as? [any Sendable] as? [Int] == [7])
    }

    @Test func `JSON5 is read where it is allowed`() throws {
        #expect(throws: AFError.self) { try read("{a: 1,}") }
        let object =
            try read("{a: 1,}", [.json5Allowed, .mutableContainers, .mutableLeaves]) as? [String: any Sendable]
        #expect(object?["a"] as? Int == 1)
    }

    @Test(arguments: ["{", "nope", #"{"a":}"#, #"{"a":1} x"#, String(repeating: "[", count: 100_000)])
    func `what is no JSON is an error`(text: String) {
        let error = #expect(throws: AFError.self) { try read(text) }
        guard case .responseSerializationFailed(.jsonSerializationFailed) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func `an empty body is null where it is allowed`() throws {
        let response = HTTPURLResponse(url: try "http://h".asURL(), statusCode: 204, headers: [])
        let serializer: some ResponseSerializer<any Sendable> = .json(dataPreprocessor: .googleXSSI)
        #expect(try serializer.serialize(request: nil, response: response, data: nil, error: nil) is JSONNull)
        #expect(throws: AFError.self) { try serializer.serialize(request: nil, response: nil, data: nil, error: nil) }
        let guarded = Data(")]}',\n[1]".utf8)
        let list = try serializer.serialize(request: nil, response: nil, data: guarded, error: nil)
        #expect((list as? [any Sendable])?.first as? Int == 1)
    }

    @Test(.timeLimit(.minutes(1))) func `data requests and downloads give it, awaited or called back`() async throws {
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
