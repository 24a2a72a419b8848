internal import AFCore
public import AFSigning
internal import FoundationEssentials

extension AWSSigner {
    /// Whether the request has the signature that is computed from its contents and its signed fields.
    public func accepts(_ request: RecordedRequest) throws -> Bool {
        guard let given = request["Authorization"], let time = request["X-Amz-Date"],
            let names = given.firstMatch(of: #/SignedHeaders=([^,]*),/#)?.1.split(separator: ";")
        else { return false }
        var again = try URLRequest(
            url: "http://\(request["Host"] ?? "")\(request.target)",
            method: HTTPMethod(rawValue: request.method)
        )
        for field in request.headers where names.contains(field.name.lowercased()[...]) {
            again.headers.append(name: field.name, value: field.value)
        }
        again.headers.remove(name: "X-Amz-Content-SHA256")
        var signer = self
        signer.now = { Self.date(time) }
        try signer.sign(&again, body: .bytes(request.body))
        return again.headers["Authorization"] == given
    }

    /// Parses a date such as `20150830T123600Z`.
    private static func date(_ text: String) -> Date {
        let digits = text.filter(\.isNumber).map { Int(String($0)) ?? 0 }
        guard digits.count == 14 else { return .distantPast }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
            minute: number(10..<12), second: number(12..<14))
        return calendar.date(from: components) ?? .distantPast
    }
}
