import AFCore
import FoundationEssentials
import Testing

/// `JSONDecoder` alone crashes at documents whose last character opens the array beyond its nesting limit.
@Suite(.timeLimit(.minutes(5))) struct NestingLimitTests {
    static let documents = [String(repeating: "[", count: 513), String(repeating: #"{"":"#, count: 512) + "["]
    static let encodings: [String.Encoding] = [
        .utf8, .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ]

    @Test(arguments: documents, encodings)
    func `a document that ends beyond the nesting limit is a decoding error`(
        document: String,
        encoding: String.Encoding
    ) async throws {
        let data = try #require(document.data(using: encoding))
        await #expect(processExitsWith: .success) { [data = data as Data] in
            for allowsJSON5 in [false, true] {
                let decoder = JSONDecoder()
                decoder.allowsJSON5 = allowsJSON5
                #expect(throws: AFError.self) {
                    try DecodableResponseSerializer<Int>(decoder: decoder)
                        .serialize(request: nil, response: nil, data: data, error: nil)
                }
                #expect(throws: AFError.self) { try DecodableStreamSerializer<Int>(decoder: decoder).serialize(data) }
                #expect(throws: DecodingError.self) {
                    try DecodableWebSocketMessageDecoder<Int>(decoder: decoder).decode(.data(data))
                }
            }
            #expect(throws: DecodingError.self) { try DownloadRecord(json: data) }
        }
    }

    @Test(arguments: documents)
    func `a message or an event that ends beyond the nesting limit is a decoding error`(document: String) async {
        await #expect(processExitsWith: .success) { [document = document as String] in
            #expect(throws: DecodingError.self) {
                try DecodableWebSocketMessageDecoder<Int>(decoder: JSONDecoder()).decode(.string(document))
            }
            #expect(throws: DecodingError.self) { try ServerSentEvent(data: document).decode(Int.self) }
        }
    }

    @Test(arguments: encodings)
    func `a comment of JSON5 may end with an opening bracket`(encoding: String.Encoding) throws {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        let data = try #require("7 // [".data(using: encoding))
        #expect(try DecodableStreamSerializer<Int>(decoder: decoder).serialize(data) == 7)
    }
}
