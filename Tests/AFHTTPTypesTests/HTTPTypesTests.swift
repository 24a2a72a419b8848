#if HTTPTypes
    import AFCore
    import AFHTTPTypes
    import FoundationEssentials
    import HTTPTypes
    import TestSupport
    import Testing

    @Suite(.timeLimit(.minutes(5))) struct HTTPTypesTests {
        @Test func `a request is sent with its fields in order, and its response converted`() async throws {
            try await withServer { _ in
                .status(418, "tea", reason: "Teapot").header("Set-Cookie", "a=1").header("Set-Cookie", "b=2")
            } _: { server in
                var request = HTTPRequest(method: .put, scheme: "http", authority: server.authority, path: "/pot?q=%20")
                request.headerFields.append(HTTPField(name: try #require(.init("X-One")), value: "1"))
                request.headerFields.append(HTTPField(name: try #require(.init("x-ONE")), value: "2"))
                let response = await AF.request(request).serializingString().response
                let sent = try #require(server.requests.first)
                #expect(sent.method == "PUT" && sent.target == "/pot?q=%20")
                #expect(sent.headText.contains("X-One: 1\r\nx-ONE: 2\r\n"))
                let received = try #require(response.response?.httpResponse)
                #expect(received.status == HTTPResponse.Status(code: 418, reasonPhrase: "Teapot"))
                #expect(received.headerFields[values: .setCookie] == ["a=1", "b=2"])
            }
        }

        @Test(arguments: ["/?q=a%20b&tags[]=1", "/a%2Fb?c=%20", "/x?y=%C3%A4"])
        func `a request target is sent as it is, and converted back`(path: String) async throws {
            try await withServer { _ in
                .ok()
            } _: { (server) async throws in
                let request = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: path)
                _ = await AF.request(request).serializingData().response
                #expect(server.requests.first?.target == path)
                #expect(try HTTPRequest(request.asURLRequest())?.path == path)
            }
        }

        @Test func `field values are converted by their octets`() async throws {
            let octets: [UInt8] = [0x61, 0xE9, 0x62]
            let line: [UInt8] = Array("X-Name: ".utf8) + octets + Array("\r\n".utf8)
            let name = try #require(HTTPField.Name("X-Name"))
            try await withServer { _ in
                .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n".utf8) + line + Array("\r\nx".utf8))
            } _: { (server) async throws in
                var request = HTTPRequest(method: .get, scheme: "http", authority: server.authority, path: "/")
                request.headerFields.append(HTTPField(name: name, value: octets))
                let response = await AF.request(request).serializingString().response
                let head = try #require(server.requests.first).head
                #expect(head.firstRange(of: line) != nil)
                let received = try #require(response.response?.httpResponse.headerFields.first { $0.name == name })
                #expect(received.withUnsafeBytesOfValue { Array($0) } == octets)
            }
        }

        @Test func `a body is uploaded beside the request`() async throws {
            try await withServer {
                .ok($0.text)
            } _: { server in
                let request = HTTPRequest(method: .post, scheme: "http", authority: server.authority, path: "/")
                let text = try await AF.upload(Data("body".utf8), with: request).serializingString().value
                #expect(text == "body")
            }
        }

        @Test(arguments: [
            HTTPRequest(method: .get, scheme: nil, authority: "example.org", path: "/"),
            HTTPRequest(method: .get, scheme: "https", authority: nil, path: "/"),
            HTTPRequest(method: .options, scheme: "https", authority: "example.org", path: "*"),
            HTTPRequest(method: .connect, scheme: nil, authority: "example.org:443", path: nil),
        ])
        func `a request without a URL is an error`(request: HTTPRequest) {
            let error = #expect(throws: AFError.self) { try request.asURLRequest() }
            #expect(error?.isInvalidURLError == true)
        }

        @Test func `a request is converted and back`() throws {
            var request = try URLRequest(url: "https://user:secret@example.org:8443/a%2Fb?c=d#e", method: .patch)
            request.headers.append(name: "Accept", value: "a/b")
            request.headers.append(name: "accept", value: "c/d")
            let converted = try #require(HTTPRequest(request))
            #expect(converted.method == .patch && converted.scheme == "https")
            #expect(converted.authority == "example.org:8443" && converted.path == "/a%2Fb?c=d")
            let back = try converted.asURLRequest()
            #expect(back.url?.absoluteString == "https://example.org:8443/a%2Fb?c=d")
            #expect(back.headers.map(\.description) == ["Accept: a/b", "accept: c/d"])
            let plain = try #require(HTTPRequest(URLRequest(url: "http://[::1]", method: .get)))
            #expect(plain.authority == "[::1]" && plain.path == "/")
        }

        @Test(arguments: [("na me", "value"), ("Name", "line\nbreak")])
        func `a request with an invalid field is not converted`(name: String, value: String) throws {
            var request = try URLRequest(url: "https://example.org/", method: .get)
            request.headers.append(name: name, value: value)
            #expect(HTTPRequest(request) == nil)
            request.headers = []
            request.httpMethod = "BAD METHOD"
            #expect(HTTPRequest(request) == nil)
        }

        @Test func `a response is converted and back`() throws {
            let fields: HTTPFields = [.contentType: "text/plain", .server: "x"]
            let response = HTTPURLResponse(
                HTTPResponse(status: .notFound, headerFields: fields), url: URL(string: "http://a/"))
            #expect(response.statusCode == 404 && response.headers["content-type"] == "text/plain")
            #expect(response.httpResponse == HTTPResponse(status: .notFound, headerFields: fields))
            let odd = HTTPURLResponse(url: nil, statusCode: 200, headers: ["bad name": "x", "Good": "y"])
            #expect(odd.httpResponse.headerFields.count == 1)
        }
    }
#endif
