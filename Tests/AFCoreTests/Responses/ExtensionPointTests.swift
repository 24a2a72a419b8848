import AFCore
import FoundationEssentials
import TestSupport
import Testing

/// The extension points of the core: conversion of parameters, JSON values and transfer errors.
@Suite(.timeLimit(.minutes(5))) struct ExtensionPointTests {
    private static let url = "http://scripted.test/path"

    @Test func `a value converts itself to a parameter`() throws {
        struct Money: ParameterConvertible {
            let cents: Int
            var parameterValue: Any { ["cents": cents, "note": Note(text: cents == 0 ? nil : "paid")] }
        }
        struct Note: ParameterConvertible {
            let text: String?
            var parameterValue: Any { text as Any }
        }
        let encoding = JSONEncoding(options: .sortedKeys)
        let empty = URLRequest(url: try Self.url.asURL())
        let request = try encoding.encode(empty, withJSONObject: [Money(cents: 5), Optional(Money(cents: 0)) as Any])
        let body = try #require(request.httpBody)
        #expect(String(decoding: body, as: UTF8.self) == #"[{"cents":5,"note":"paid"},{"cents":0,"note":null}]"#)
        let pairs = URLEncoding.default.queryComponents(fromKey: "m", value: Money(cents: 0))
        #expect(pairs.map(\.0) == ["m%5Bcents%5D"] && pairs.map(\.1) == ["0"])
    }

    @Test func `a session's builder creates the JSON values of handlers, tasks and serializers`() async throws {
        var configuration = SessionConfiguration.default
        configuration.jsonValueBuilder = WordBuilder()
        let transport = ScriptedTransport { exchange in
            let isEmpty = exchange.transfer.url.text.hasSuffix("/empty")
            exchange.respond(isEmpty ? 204 : 200, body: isEmpty ? "" : #"[1,1.5,true,null,18446744073709551615,"s"]"#)
        }
        let session = Session(configuration: configuration, transport: transport)
        let words = ["integer", "floating point", "boolean", "null", "unsigned", "s"]
        #expect(try await session.request(Self.url).serializingJSON().value as? [any Sendable] as? [String] == words)
        let named = session.request(Self.url).serializingResponse(using: JSONResponseSerializer())
        #expect(try await named.value as? [any Sendable] as? [String] == words)
        let file = session.download(Self.url).serializingJSON()
        let response = await file.response
        #expect(response.value as? [any Sendable] as? [String] == words)
        try response.fileURL.map(FileManager.default.removeItem(at:))
        #expect(try await session.request("http://scripted.test/empty").serializingJSON().value as? String == "null")
    }

    @Test func `a session's converter replaces transfer errors, and retry rules still apply`() async throws {
        var configuration = SessionConfiguration.default
        configuration.transferErrorConverter = WrappingConverter()
        let retried = RetryPolicy(retryLimit: 1, exponentialBackoffScale: 0)
        let transport = ScriptedTransport { $0.finish(TransferFailure(.connectionLost, "gone")) }
        let session = Session(configuration: configuration, transport: transport, interceptor: retried)
        let request = session.request(Self.url)
        let error = await request.serializingData().response.error
        let wrapped = try #require(error?.underlyingError as? WrappedFailure)
        #expect(wrapped.url?.absoluteString == Self.url)
        #expect(error?.transferFailure?.kind == .connectionLost)
        #expect(request.retryCount == 1)
        // Other errors are unchanged.
        let refused = Session(
            configuration: configuration,
            transport: ScriptedTransport { $0.respond(404) }
        )
        #expect(await refused.request(Self.url).validate().serializingData().response.error?.responseCode == 404)
        #expect(TransferFailure(.other, "").transferFailure?.kind == .other && Refused().transferFailure == nil)
    }
}

private struct WordBuilder: JSONValueBuilder {
    var null: any Sendable { "null" }
    func boolean(_ value: Bool) -> any Sendable { "boolean" }
    func integer(_ value: Int) -> any Sendable { "integer" }
    func unsignedInteger(_ value: UInt64) -> any Sendable { "unsigned" }
    func floatingPoint(_ value: Double) -> any Sendable { "floating point" }
}

private struct WrappedFailure: TransferFailureConvertible {
    let transferFailure: TransferFailure?
    let url: URL?
}

private struct WrappingConverter: TransferErrorConverter {
    func error(for failure: any Error, at url: URL?) -> any Error {
        WrappedFailure(transferFailure: failure as? TransferFailure, url: url)
    }
}
