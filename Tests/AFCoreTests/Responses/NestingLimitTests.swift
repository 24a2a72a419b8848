import AFCore
import FoundationEssentials
import Testing

@testable import AFRequests

/// Truncated JSON with many brackets does not reach `JSONDecoder`. All documents here are flat: any decoder can read them.
@Suite(.timeLimit(.minutes(1))) struct NestingLimitTests {
    static let encodings: [String.Encoding] = [
        .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ]

    /// Returns an array of empty containers, without the last bracket.
    private static func truncated(brackets: Int, _ item: String = "[]") -> String {
        "[" + String(repeating: item + ",", count: brackets - 1) + "7"
    }

    private static func data(_ text: String, _ encoding: String.Encoding = .utf8) throws -> Data {
        try #require(text.data(using: encoding))
    }

    @Test(arguments: encodings)
    func `truncated JSON has too many brackets from 501 opening ones, in any encoding`(
        encoding: String.Encoding
    ) throws {
        for item in ["[]", "{}", #""[""#, #""{""#] {
            #expect(try !isTruncatedJSON(Self.data(Self.truncated(brackets: 500, item), encoding)))
            #expect(try isTruncatedJSON(Self.data(Self.truncated(brackets: 501, item), encoding)))
        }
    }

    @Test(arguments: encodings)
    func `JSON that ends with a closing bracket or white space is not truncated`(encoding: String.Encoding) throws {
        for end in ["]", "]\n", "]\r\n", "}", " ", "\t"] {
            #expect(try !isTruncatedJSON(Self.data(Self.truncated(brackets: 1000) + end, encoding)))
        }
        // A string that holds JSON; a decoder may expect a dictionary without braces.
        let string = try Self.data("\"" + Self.truncated(brackets: 1000) + "]\"", encoding)
        #expect(!isTruncatedJSON(string))
        #expect(isTruncatedJSON(string, mayBeString: false))
        #expect(!isTruncatedJSON(Data()))
        #expect(!isTruncatedJSON(Data(count: 4)))
    }

    @Test(arguments: encodings.dropFirst())
    func `an incomplete last character does not end truncated JSON`(encoding: String.Encoding) throws {
        let unit = try Self.data("7", encoding).count
        for mark in ["", "\u{FEFF}"] {
            let truncated = try Self.data(mark + Self.truncated(brackets: 501), encoding)
            for count in 1..<unit {
                #expect(isTruncatedJSON(truncated + Array(repeating: UInt8(ascii: "]"), count: count)))
            }
            #expect(try !isTruncatedJSON(truncated + Self.data("]", encoding)))
        }
    }

    @Test func `serializers, messages, events and records refuse truncated JSON before the decoder reads it`() throws {
        let text = Self.truncated(brackets: 501)
        let data = try Self.data(text)
        let attempts: [() throws -> Void] = [
            {
                _ = try DecodableResponseSerializer<[Int]>()
                    .serialize(request: nil, response: nil, data: data, error: nil)
            },
            { _ = try DecodableStreamSerializer<[Int]>().serialize(data) },
            { _ = try DecodableWebSocketMessageDecoder<[Int]>(decoder: JSONDecoder()).decode(.data(data)) },
            { _ = try DecodableWebSocketMessageDecoder<[Int]>(decoder: JSONDecoder()).decode(.string(text)) },
            { _ = try ServerSentEvent(data: text).decode([Int].self) },
            { _ = try DownloadRecord(json: data) },
        ]
        for attempt in attempts {
            let error = #expect(throws: (any Error).self) { try attempt() }
            let cause = error as? DecodingError ?? error?.asAFError?.underlyingError as? DecodingError
            guard case .dataCorrupted(let context)? = cause else {
                Issue.record("\(String(describing: error))"); continue
            }
            #expect(context.debugDescription == "the JSON is truncated, with more than 500 opening brackets")
        }
    }

    /// The only documents that the decoder could read.
    @Test func `JSON5 with too many brackets must not end with a comment`() throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let serializer = DecodableStreamSerializer<[[Int]]>(decoder: decoder)
        let text = "[" + String(repeating: "[],", count: 500) + "]"
        let comment = try Self.data(text + " // end")
        #expect(try decoder.decode([[Int]].self, from: comment).count == 500)
        #expect(throws: AFError.self) { try serializer.serialize(comment) }
        #expect(try serializer.serialize(Self.data(text + " // end\n")).count == 500)
        #expect(try DecodableStreamSerializer<Int>(decoder: decoder).serialize(Self.data("7 // [")) == 7)
    }

    @Test func `decoders of other formats read anything`() throws {
        struct LengthDecoder: DataDecoder {
            func decode<D: Decodable>(_ type: D.Type, from data: Data) throws -> D {
                try JSONDecoder().decode(type, from: Data("\(data.count)".utf8))
            }
        }
        let data = try Self.data(Self.truncated(brackets: 501))
        #expect(try DecodableStreamSerializer<Int>(decoder: LengthDecoder()).serialize(data) == data.count)
    }
}
