import AlamofireCompat
import Foundation
import Synchronization
import TestSupport
import Testing

/// JSON from and for Foundation's types, which an app that used Alamofire is full of.
@Suite(.timeLimit(.minutes(5))) struct FoundationValuesTests {
    private func json(_ object: Any) throws -> String {
        let encoding = JSONEncoding(options: .sortedKeys)
        let request = try encoding.encode(URLRequest(url: "http://h/", method: .post), withJSONObject: object)
        return String(decoding: try #require(request.httpBody), as: UTF8.self)
    }

    @Test func `Foundation's values are encoded by their types`() throws {
        let values: [Any] = [
            NSNumber(value: 1), NSNumber(value: 0), NSNumber(value: true), NSNumber(value: false), NSNumber(value: 1.5),
            NSNumber(value: 2.0), NSNumber(value: Int8(1)), NSNumber(value: UInt64.max), NSNumber(value: Int64.min),
            NSNull(), NSString("text"), NSArray(array: [NSNumber(value: 1)]), NSDecimalNumber(string: "12.50"),
        ]
        #expect(
            try json(values)
                == "[1,0,true,false,1.5,2,1,18446744073709551615,-9223372036854775808,null,\"text\",[1],12.5]"
        )
        let inner = NSDictionary(dictionary: ["zero": NSNumber(value: 0), "yes": true, "none": NSNull()])
        #expect(try json(["inner": inner]) == #"{"inner":{"none":null,"yes":true,"zero":0}}"#)
        #expect(try json(NSDictionary(dictionary: ["one": 1])) == #"{"one":1}"#)
        #expect(try json(NSMutableArray(array: [1, false])) == "[1,false]")
    }

    @Test func `options without meaning for Swift's values change nothing`() throws {
        let serializer = JSONResponseSerializer(options: [.mutableContainers, .mutableLeaves])
        let value = try serializer.serialize(request: nil, response: nil, data: Data("[7]".utf8), error: nil)
        #expect(value as? [Int] == [7])
    }

    @Test func `values without a JSON form are rejected`() {
        let values: [Any] = [
            NSNumber(value: Double.nan), NSDictionary(dictionary: [1: 1]), NSArray(array: [NSDate()]), NSDate(),
        ]
        for value in values {
            #expect(throws: AFError.self, "\(value)") { try json([value]) }
        }
    }

    @Test func `JSON parsed by Foundation is posted unchanged`() throws {
        let text = #"{"a":1,"b":[true,false,null,0,1.5,-3],"c":{"d":"e"},"n":null}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        #expect(try json(object) == text)
    }

    @Test func `Foundation's numbers are encoded as numbers in queries`() {
        let encoding = URLEncoding(boolEncoding: .literal)
        func pair(_ value: Any) -> String {
            encoding.queryComponents(fromKey: "k", value: value).map { "\($0)=\($1)" }.joined(separator: "&")
        }
        #expect(pair(NSNumber(value: 1)) == "k=1")
        #expect(pair(NSNumber(value: true)) == "k=true")
        #expect(pair(NSNull()) == "k=null")
        #expect(pair(NSString("a b")) == "k=a%20b")
        #expect(pair(NSArray(array: [1, 0])) == "k%5B%5D=1&k%5B%5D=0")
        #expect(pair(NSDictionary(dictionary: ["x": 1])) == "k%5Bx%5D=1")
    }

    @Test func `parsed values can be cast like Foundation's`() async throws {
        let text = #"""
            {"one":1,"whole":1.0,"half":1.5,"yes":true,"none":null,"text":"t","list":[0,1,"2"],"big":18446744073709551615}
            """#
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: text) })
        let value = try await session.request("http://h/").serializingJSON().value
        let ours = try #require(value as? [String: Any])
        let theirs = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        for (key, expected) in theirs {
            let value = try #require(ours[key])
            #expect(casts(value) == casts(expected), "\(key)")
        }
        #expect(ours["one"] as? Double == 1 && ours["whole"] as? Int == 1 && ours["yes"] as? Int == 1)
        #expect(ours["none"] as? NSNull == NSNull() && ours["half"] is NSNumber)
        #expect(ours["list"] as? [Any] != nil && (ours["list"] as? NSArray)?.count == 3)
        #expect((value as? NSDictionary)?["text"] as? String == "t")
        // And once more to the server.
        #expect(try json(ours) == json(theirs))
    }

    /// Returns the types that a value can be cast to.
    private func casts(_ value: Any) -> [String] {
        [
            (value as? Int).map { "Int \($0)" }, (value as? Double).map { "Double \($0)" },
            (value as? Bool).map { "Bool \($0)" }, (value as? String).map { "String \($0)" },
            (value as? NSNumber).map { "NSNumber \($0)" }, value is NSNull ? "NSNull" : nil,
            (value as? UInt64).map { "UInt64 \($0)" }, (value as? Float).map { "Float \($0)" },
            (value as? [Any]).map { "array \($0.count)" }, (value as? [String: Any]).map { "object \($0.count)" },
        ].compactMap(\.self)
    }

    @Test func `an empty response is Foundation's null`() async throws {
        let session = Session(transport: ScriptedTransport { $0.respond(204) })
        let value = try await session.request("http://h/").serializingJSON().value
        #expect(value is NSNull)
    }

    /// A serializer of an app that uses the library's.
    private struct Inner: ResponseSerializer {
        typealias SerializedObject = any Sendable

        func serialize(
            request: URLRequest?,
            response: HTTPURLResponse?,
            data: Data?,
            error: (any Error)?
        ) throws -> any Sendable {
            try JSONResponseSerializer().serialize(request: request, response: response, data: data, error: error)
        }
    }

    @Test func `a serializer that no request uses returns Foundation's values`() throws {
        func read(_ serializer: JSONResponseSerializer, _ text: String) throws -> any Sendable {
            try serializer.serialize(request: nil, response: nil, data: Data(text.utf8), error: nil)
        }
        let serializers: [JSONResponseSerializer] = [
            JSONResponseSerializer(), JSONResponseSerializer(options: .fragmentsAllowed), .json, .json(options: []),
        ]
        for serializer in serializers {
            let list = try #require(try read(serializer, "[1,null]") as? [Any])
            #expect(list[0] as? NSNumber == 1 && list[1] is NSNull)
        }
        let head = HTTPURLResponse(url: URL(string: "http://h/"), statusCode: 204, headers: [])
        let empty = try JSONResponseSerializer().serialize(request: nil, response: head, data: nil, error: nil)
        #expect(empty is NSNull)
        #expect(try Inner().serialize(request: nil, response: head, data: nil, error: nil) is NSNull)
    }

    @Test func `the error of invalid JSON is a CocoaError`() async throws {
        func check(_ error: AFError?) throws {
            let below = try #require(error?.underlyingError as? CocoaError)
            #expect(below.code == .propertyListReadCorrupt && below.code.rawValue == 3840)
            #expect(error?.errorDescription == "The response is not JSON: it ends too early, after byte 1.")
        }
        let session = Session(transport: ScriptedTransport { $0.respond(200, body: "{") })
        try check(await session.request("http://h/").serializingJSON().response.error)
        try check(await session.request("http://h/").serializingResponse(using: Inner()).response.error)
        let alone = #expect(throws: AFError.self) {
            try JSONResponseSerializer().serialize(request: nil, response: nil, data: Data("{".utf8), error: nil)
        }
        try check(alone)
        let fragment = #expect(throws: AFError.self) {
            try JSONResponseSerializer(options: [])
                .serialize(request: nil, response: nil, data: Data("1".utf8), error: nil)
        }
        #expect((fragment?.underlyingError as? CocoaError)?.code == .propertyListReadCorrupt)
    }

    @Test func `responseJSON of the default session returns Foundation's values`() async throws {
        try await withServer { _ in
            .json(#"{"n":1}"#)
        } _: { server in
            let response = Mutex<AFDataResponse<any Sendable>?>(nil)
            AF.request(server.url()).responseJSON(queue: .global()) { answer in response.withLock { $0 = answer } }
            try await eventually("it came") { response.withLock { $0 != nil } }
            let object = response.withLock(\.self)?.value as? [String: Any]
            #expect(object?["n"] as? Double == 1)
        }
    }
}
