import AFCore
import FoundationEssentials
import Testing

private struct Cause: Error, Equatable {}

struct DataResponseTests {
    private func response(
        _ result: Result<Int, AFError>,
        type: String = "application/json",
        body: Data? = Data("{\n}".utf8)
    ) throws -> AFDataResponse<Int> {
        var request = URLRequest(url: try "http://user:secret@h/p".asURL())
        request.headers = ["X-B": "2", "Authorization": "Bearer secret", "Content-Type": "text/plain"]
        request.httpBody = Data("ping".utf8)
        return DataResponse(
            request: request,
            response: HTTPURLResponse(
                url: request.url,
                statusCode: 404,
                headers: ["Content-Type": type, "Set-Cookie": "secret"]
            ),
            data: body,
            metrics: nil,
            serializationDuration: 0.25,
            result: result
        )
    }

    @Test func `value and error come from the result`() throws {
        let success = try response(.success(1))
        #expect(success.value == 1)
        #expect(success.error == nil)
        let failure = try response(.failure(.explicitlyCancelled))
        #expect(failure.value == nil)
        #expect(failure.error?.isExplicitlyCancelledError == true)
    }

    @Test func `mapping changes only the result`() throws {
        let mapped = try response(.success(1)).map { "\($0)" }
        #expect(mapped.value == "1")
        #expect(mapped.data == Data("{\n}".utf8))
        #expect(mapped.response?.statusCode == 404)
        #expect(mapped.serializationDuration == 0.25)
        #expect(try response(.failure(.explicitlyCancelled)).map { $0 + 1 }.error?.isExplicitlyCancelledError == true)
        #expect(try response(.success(1)).tryMap { _ -> Int in throw Cause() }.error is Cause)
        #expect(try response(.success(1)).tryMap { $0 + 1 }.value == 2)
        #expect(try response(.failure(.explicitlyCancelled)).mapError { _ in Cause() }.error == Cause())
        #expect(
            try response(.failure(.explicitlyCancelled)).tryMapError { _ -> AFError in throw Cause() }.error is Cause)
        #expect(try response(.success(1)).tryMapError { _ in Cause() }.value == 1)
    }

    @Test func `the debug description has request, response and result, without secrets`() throws {
        #expect(
            try response(.success(7)).debugDescription == """
                [Request]: GET http://…@h/p
                    [Headers]:
                        Authorization: •••
                        Content-Type: text/plain
                        X-B: 2
                    [Body]:
                        ping
                [Response]:
                    [Status Code]: 404
                    [Headers]:
                        Content-Type: application/json
                        Set-Cookie: •••
                    [Body]:
                        {
                        }
                [Network Duration]: None
                [Serialization Duration]: 0.25s
                [Result]: success(7)
                """
        )
    }

    @Test(
        arguments: [
            ("image/png", Data(count: 9), "[Body]: 9 bytes"),
            ("text/html", Data(count: 100_001), "[Body]: 100001 bytes"),
            ("text/html", Data(), "[Body]: None"), ("text/html", nil, "[Body]: None"),
        ] as [(String, Data?, String)])
    func `the debug description has only the size of long and binary bodies`(type: String, body: Data?, line: String)
        throws
    {
        #expect(try response(.success(7), type: type, body: body).debugDescription.contains("\n    \(line)\n"))
    }

    @Test func `the debug description shows None for missing values`() {
        let nothing = AFDataResponse<Int>(
            request: nil, response: nil, data: nil, metrics: nil, serializationDuration: 0,
            result: .failure(.explicitlyCancelled)
        )
        #expect(nothing.debugDescription.hasPrefix("[Request]: None\n[Response]: None\n[Network Duration]: None\n"))
        #expect(nothing.description == "\(nothing.result)")
    }
}

struct DownloadResponseTests {
    private func response(_ result: Result<Int, AFError>) throws -> AFDownloadResponse<Int> {
        DownloadResponse(
            request: URLRequest(url: try "http://h".asURL()), response: nil, fileURL: URL(filePath: "/f"),
            resumeData: Data(count: 3), metrics: nil, serializationDuration: 0, result: result
        )
    }

    @Test func `mapping changes only the result`() throws {
        let mapped = try response(.success(1)).map { "\($0)" }
        #expect(mapped.value == "1")
        #expect(mapped.fileURL?.path == "/f")
        #expect(mapped.resumeData?.count == 3)
        #expect(try response(.success(1)).tryMap { _ -> Int in throw Cause() }.error is Cause)
        #expect(try response(.failure(.explicitlyCancelled)).mapError { _ in Cause() }.error == Cause())
        #expect(
            try response(.failure(.explicitlyCancelled)).tryMapError { _ -> AFError in throw Cause() }.error is Cause)
    }

    @Test func `the debug description has the file and the resume data`() throws {
        let text = try response(.success(1)).debugDescription
        #expect(text.contains("\n[Response]: None\n[File URL]: /f\n[Resume Data]: 3 bytes\n"))
    }
}
