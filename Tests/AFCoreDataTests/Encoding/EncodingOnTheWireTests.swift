import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// Encoded parameters as a server receives them.
@Suite(.timeLimit(.minutes(5))) struct EncodingOnTheWireTests {
    private struct Wish: Codable, Equatable, Sendable {
        var name = "a b&c"
        var tags = ["x", "y"]
        var size = ["w": 1.5]
        var note: String?
    }

    private let session = Session()

    private func server() throws -> LocalServer {
        try LocalServer { .ok("\($0.method) \($0.target)\n\($0["Content-Type"] ?? "none")\n\($0.text)") }
    }

    @Test func `a value is a query or a form, depending on the method`() async throws {
        let server = try server()
        let pairs = "name=a%20b%26c&size%5Bw%5D=1.5&tags%5B%5D=x&tags%5B%5D=y"
        let query = try await session.request(server.url("/q?z=1"), parameters: Wish()).serializingString().value
        #expect(query == "GET /q?z=1&\(pairs)\nnone\n")
        let form = try await session.request(server.url("/f"), method: .post, parameters: Wish()).serializingString()
            .value
        #expect(form == "POST /f\napplication/x-www-form-urlencoded; charset=utf-8\n\(pairs)")
        let custom = URLEncodedFormEncoder(arrayEncoding: .noBrackets, keyPathEncoding: .dots, nilEncoding: .dropValue)
        let spelled = try await session.request(
            server.url("/f"), method: .put, parameters: Wish(), encoder: .urlEncodedForm(encoder: custom)
        ).serializingString().value
        #expect(spelled.hasSuffix("\nname=a%20b%26c&note=&size.w=1.5&tags=x&tags=y"))
    }

    @Test func `a value is JSON`() async throws {
        let server = try server()
        let text = try await session.request(
            server.url(), method: .post, parameters: Wish(), encoder: JSONParameterEncoder.sortedKeys
        ).serializingString().value
        #expect(
            text == "POST /\napplication/json\n{\"name\":\"a b&c\",\"size\":{\"w\":1.5},\"tags\":[\"x\",\"y\"]}")
    }
}
