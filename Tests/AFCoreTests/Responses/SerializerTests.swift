import AFCore
import FoundationEssentials
import TestSupport
import Testing

private struct Cause: Error, Equatable {}

private struct Upcasing: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data {
        if data.isEmpty { throw Cause() }
        return Data(String(decoding: data, as: UTF8.self).uppercased().utf8)
    }
}

private struct Refusing: DataPreprocessor {
    func preprocess(_ data: Data) throws -> Data { throw Cause() }
}

private let url = URL(filePath: "/")

private func request(_ method: HTTPMethod) -> URLRequest {
    var request = URLRequest(url: url)
    request.method = method
    return request
}

private func response(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, headers: headers)
}

private func reason(of operation: () throws -> some Any) -> AFError.ResponseSerializationFailureReason? {
    guard
        case .responseSerializationFailed(let reason) = #expect(
            throws: AFError.self, performing: { _ = try operation() })
    else { return nil }
    return reason
}

struct DataSerializerTests {
    @Test func `the body is returned unchanged`() throws {
        let data = try DataResponseSerializer().serialize(
            request: nil, response: response(200), data: Data("a".utf8), error: nil)
        #expect(data == Data("a".utf8))
    }

    @Test func `an earlier error is thrown unchanged, before any other check`() {
        #expect(throws: Cause()) {
            try DataResponseSerializer(dataPreprocessor: Refusing())
                .serialize(request: nil, response: response(200), data: nil, error: Cause())
        }
    }

    @Test(arguments: [nil, Data()])
    func `an empty body is an error unless method or status allow it`(data: Data?) throws {
        let serializer = DataResponseSerializer(dataPreprocessor: Refusing())
        for (request, response) in [(nil, nil), (request(.get), response(200)), (request(.post), nil)] {
            let failure = reason {
                try serializer.serialize(request: request, response: response, data: data, error: nil)
            }
            guard case .inputDataNilOrZeroLength = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
        }
        for (request, response) in [
            (request(.head), response(200)), (nil, response(204)), (request(.get), response(205)),
        ] {
            #expect(try serializer.serialize(request: request, response: response, data: data, error: nil) == Data())
        }
    }

    @Test func `the methods and statuses with empty bodies can be changed`() throws {
        let serializer: DataResponseSerializer = .data(emptyResponseCodes: [200], emptyRequestMethods: [])
        #expect(serializer.emptyResponseAllowed(forRequest: request(.get), response: response(200)))
        #expect(!serializer.emptyResponseAllowed(forRequest: request(.head), response: response(204)))
        #expect(serializer.requestAllowsEmptyResponseData(nil) == nil)
        #expect(serializer.responseAllowsEmptyResponseData(nil) == nil)
        #expect(serializer.responseAllowsEmptyResponseData(response(200)) == true)
    }

    @Test func `the preprocessor runs first, and its error is unchanged`() throws {
        let data = try DataResponseSerializer(dataPreprocessor: Upcasing())
            .serialize(request: nil, response: nil, data: Data("a".utf8), error: nil)
        #expect(data == Data("A".utf8))
        #expect(throws: Cause()) {
            try DataResponseSerializer(dataPreprocessor: Refusing())
                .serialize(request: nil, response: nil, data: Data("a".utf8), error: nil)
        }
    }

    @Test func `Google's XSSI guard is removed only as a complete line`() throws {
        let guarded = try GoogleXSSIPreprocessor().preprocess(Data(")]}',\n[1]".utf8))
        #expect(guarded == Data("[1]".utf8))
        #expect(guarded.startIndex == 0)
        #expect(try GoogleXSSIPreprocessor().preprocess(Data(")]}'".utf8)) == Data(")]}'".utf8))
    }
}

struct DownloadSerializerTests {
    @Test func `a downloaded file is read, or its URL is returned`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "f")
            try Data("a".utf8).write(to: file)
            let text = try StringResponseSerializer()
                .serializeDownload(request: nil, response: nil, fileURL: file, error: nil)
            #expect(text == "a")
            #expect(
                try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: file, error: nil)
                    == file)
        }
    }

    @Test func `an earlier error, a missing file URL and a missing file are different errors`() {
        let serializer = DataResponseSerializer()
        #expect(throws: Cause()) {
            try serializer.serializeDownload(request: nil, response: nil, fileURL: nil, error: Cause())
        }
        let nameless = reason {
            try serializer.serializeDownload(request: nil, response: nil, fileURL: nil, error: nil)
        }
        guard case .inputFileNil = nameless else { Issue.record("\(String(describing: nameless))"); return }
        let lost = URL(filePath: "/nowhere/file")
        let missing = reason {
            try serializer.serializeDownload(request: nil, response: nil, fileURL: lost, error: nil)
        }
        guard case .inputFileReadFailed(at: lost) = missing else {
            Issue.record("\(String(describing: missing))"); return
        }
    }

    @Test func `an empty file follows the rules of empty bodies`() throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "f")
            try Data().write(to: file)
            let serializer = DataResponseSerializer()
            let data = try serializer.serializeDownload(
                request: nil, response: response(204), fileURL: file, error: nil)
            #expect(data.isEmpty)
            #expect(throws: AFError.self) {
                try serializer.serializeDownload(request: nil, response: response(200), fileURL: file, error: nil)
            }
        }
    }

    @Test func `a URL serializer throws an earlier error, or an error if there is no file URL`() {
        #expect(throws: Cause()) {
            try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: url, error: Cause())
        }
        let nameless = reason {
            try URLResponseSerializer().serializeDownload(request: nil, response: nil, fileURL: nil, error: nil)
        }
        guard case .inputFileNil = nameless else { Issue.record("\(String(describing: nameless))"); return }
    }
}

struct StringSerializerTests {
    private func text(_ bytes: [UInt8], type: String? = nil, encoding: String.Encoding? = nil) throws -> String {
        try StringResponseSerializer(encoding: encoding).serialize(
            request: nil,
            response: response(200, type.map { ["Content-Type": $0] } ?? [:]),
            data: Data(bytes),
            error: nil
        )
    }

    @Test func `the caller's encoding has priority over the response's, and that over Latin-1`() throws {
        #expect(try text([0xC3, 0xA9], type: "text/plain; charset=iso-8859-1", encoding: .utf8) == "é")
        #expect(try text([0xC3, 0xA9], type: "text/plain; charset=\"UTF-8\"") == "é")
        #expect(try text([0xC3, 0xA9], type: "text/plain") == "Ã©")
        #expect(try text([0xC3, 0xA9]) == "Ã©")
    }

    @Test func `an unknown charset is an error, not Latin-1 as in Alamofire`() {
        let failure = reason { try text([0x61], type: "text/plain; charset=klingon") }
        guard case .customSerializationFailed(let error) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(error as? CharsetError == .unknown(name: "klingon"))
    }

    @Test func `the error of undecodable bytes names the encoding`() {
        let caller = reason { try text([0xFF], encoding: .utf8) }
        guard case .stringSerializationFailed(.utf8) = caller else {
            Issue.record("\(String(describing: caller))"); return
        }
        let server = reason { try text([0x61], type: "a/b;charset=utf-16") }
        guard case .stringSerializationFailed(.utf16) = server else {
            Issue.record("\(String(describing: server))"); return
        }
        let rare = reason { try text([0xFF], type: "a/b;charset=gb18030") }
        guard case .customSerializationFailed(let error) = rare else {
            Issue.record("\(String(describing: rare))"); return
        }
        #expect(error as? CharsetError == .malformed(name: "gb18030"))
    }

    @Test func `a response that may be empty is an empty string`() throws {
        #expect(
            try StringResponseSerializer().serialize(request: nil, response: response(204), data: nil, error: nil) == ""
        )
    }
}

struct DecodableSerializerTests {
    private struct Item: Decodable, Equatable {
        let name: String
    }

    @Test func `JSON is decoded into a value`() throws {
        let item = try DecodableResponseSerializer<Item>(dataPreprocessor: .googleXSSI)
            .serialize(request: nil, response: nil, data: Data(")]}',\n{\"name\":\"n\"}".utf8), error: nil)
        #expect(item == Item(name: "n"))
    }

    @Test func `the decoder's error is the underlying error`() {
        let failure = reason {
            try DecodableResponseSerializer<Item>().serialize(
                request: nil, response: nil, data: Data("{}".utf8), error: nil)
        }
        guard case .decodingFailed(is DecodingError) = failure else {
            Issue.record("\(String(describing: failure))"); return
        }
    }

    @Test func `an empty response needs a type with an empty value`() throws {
        let empty = try DecodableResponseSerializer<Empty>()
            .serialize(request: nil, response: response(204), data: nil, error: nil)
        #expect(empty == .value)
        let failure = reason {
            try DecodableResponseSerializer<Item>().serialize(
                request: nil, response: response(204), data: nil, error: nil)
        }
        guard case .invalidEmptyResponse(type: "Item") = failure else {
            Issue.record("\(String(describing: failure))"); return
        }
    }

    @Test func `predefined serializers return the values of their types`() throws {
        func value<S: ResponseSerializer>(_ serializer: S) throws -> S.SerializedObject {
            try serializer.serialize(request: nil, response: nil, data: Data("[1]".utf8), error: nil)
        }
        #expect(try value(.data) == Data("[1]".utf8))
        #expect(try value(.string) == "[1]")
        #expect(try value(.string(encoding: .utf8)) == "[1]")
        #expect(try value(.decodable(of: [Int].self)) == [1])
        let serializer: URLResponseSerializer = .url
        #expect(try serializer.serializeDownload(request: nil, response: nil, fileURL: url, error: nil) == url)
    }
}
