import AFCore
import FoundationEssentials
import Testing

struct PropertyListEncodingTests {
    private struct Values: Codable, Equatable {
        var text = "ü & <b>"
        var count = -3
        var large = UInt64.max
        var ratio = 0.5
        var flag = true
        var day = Date(timeIntervalSinceReferenceDate: 86400)
        var bytes = Data([0, 255])
        var list = [1, 2]
        var nested = ["a": ["b": "c"]]
    }

    private static var parameters: Parameters {
        let values = Values()
        return [
            "text": values.text, "count": values.count, "large": values.large, "ratio": values.ratio,
            "flag": values.flag, "day": values.day, "bytes": values.bytes, "list": values.list,
            "nested": values.nested, "missing": Int?.none,
        ]
    }

    private func encode(_ parameters: Parameters?, _ encoding: PropertyListEncoding) throws -> URLRequest {
        var request = URLRequest(url: try "http://h".asURL())
        request.method = .post
        return try encoding.encode(request, with: parameters)
    }

    @Test(arguments: [(PropertyListEncoding.xml, "<?xml"), (.binary, "bplist00"), (.default, "<?xml")])
    func `written property lists can be read, in either format`(encoding: PropertyListEncoding, start: String) throws {
        let request = try encode(Self.parameters, encoding)
        let body = try #require(request.httpBody)
        #expect(body.starts(with: Data(start.utf8)))
        #expect(try PropertyListDecoder().decode(Values.self, from: body) == Values())
        #expect(request.headers["Content-Type"] == "application/x-plist")
    }

    @Test func `nil is omitted`() throws {
        let body = try #require(try encode(["a": Int?.none, "b": 1 as Int?], .xml).httpBody)
        #expect(try PropertyListDecoder().decode([String: Int].self, from: body) == ["b": 1])
    }

    @Test(arguments: [JSONNull(), UUID(), [Int?.none], ["deep": JSONNull()]] as [any Sendable])
    func `a value without a property list form is rejected`(value: any Sendable) {
        let error = #expect(throws: AFError.self) { try encode(["k": value], .binary) }
        #expect(error?.isParameterEncodingError == true)
        #expect(error?.underlyingError as? PropertyListEncoding.Error == .invalidPropertyListObject)
        #expect(error?.localizedDescription.contains("no form in a property list") == true)
    }

    @Test func `the OpenStep format is rejected`() {
        let error = #expect(throws: AFError.self) { try encode([:], PropertyListEncoding(format: .openStep)) }
        #expect(error?.underlyingError as? PropertyListEncoding.Error == .unwritableFormat)
    }

    @Test func `an existing content type is preserved, and no parameters change nothing`() throws {
        var request = URLRequest(url: try "http://h".asURL())
        #expect(try PropertyListEncoding.xml.encode(request, with: nil) == request)
        request.headers = ["Content-Type": "mine"]
        #expect(try PropertyListEncoding.xml.encode(request, with: [:]).headers["Content-Type"] == "mine")
    }
}
