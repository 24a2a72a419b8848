import AFCore
import FoundationEssentials
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct MultipartStreamTests {
    private struct Broken: Error {}

    private func form(_ script: [ScriptedStream.Step], length: UInt64) -> MultipartFormData {
        let form = MultipartFormData(boundary: "B")
        form.append(ScriptedStream(script), withLength: length, name: "s", fileName: "f", mimeType: "a/b")
        return form
    }

    private func underlying(_ error: AFError?) -> (any Error)? {
        guard case .multipartEncodingFailed(.inputStreamReadFailed(let error)) = error else { return nil }
        return error
    }

    @Test func `a stream is awaited and sent unchanged`() throws {
        let encoded = try form([.bytes("ab"), .pause, .bytes("c"), .pause], length: 3).encode()
        #expect(
            String(decoding: encoded, as: UTF8.self)
                == [
                    "--B", #"Content-Disposition: form-data; name="s"; filename="f""#, "Content-Type: a/b", "", "abc",
                    "--B--", "",
                ].joined(separator: "\r\n")
        )
    }

    @Test(arguments: [UInt64(2), 4])
    func `a stream of another length than announced is an error`(announced: UInt64) throws {
        let error = #expect(throws: AFError.self) { try form([.bytes("abc")], length: announced).encode() }
        let expected = AFError.UnexpectedInputStreamLength(bytesExpected: announced, bytesRead: 3)
        #expect(underlying(error) as? AFError.UnexpectedInputStreamLength == expected)
    }

    @Test(arguments: [UInt64(2), 4])
    func `a short stream is an error when written, unlike in Alamofire`(announced: UInt64) throws {
        try withScratchFolder { folder in
            let file = folder.appending(path: "body")
            #expect(throws: AFError.self) { try form([.bytes("abc")], length: announced).writeEncodedData(to: file) }
            #expect(!FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `the error of a stream is the reason`() throws {
        let error = #expect(throws: AFError.self) { try form([.bytes("a"), .failure(Broken())], length: 3).encode() }
        #expect(underlying(error) is Broken)
    }

    @Test func `the body's stream can be sent twice if it can rewind`() throws {
        guard case .parts(let sources) = try form([.bytes("abc")], length: 3).makeBody(),
            case .stream(let stream, length: 3) = sources[1]
        else {
            Issue.record("no stream of known length")
            return
        }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 1)
        defer { buffer.deallocate() }
        for _ in 1...2 {
            var bytes: [UInt8] = []
            while case .bytes(let count) = try stream.read(into: buffer, whenReady: {}) { bytes += buffer[..<count] }
            #expect(bytes == Array("abc".utf8))
            #expect(stream.rewind())
        }
    }
}
