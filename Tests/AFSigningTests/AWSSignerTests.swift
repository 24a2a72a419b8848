import AFCore
import AFHTTP
import FoundationEssentials
import TestSupport
import Testing

@testable import AFSigning

/// Signatures against those that Amazon has published: its test suite of Signature Version 4, and the examples of S3's
/// and IAM's documentation.
@Suite struct AWSSignerTests {
    /// A request of the suite; its paths are given before anything is encoded.
    struct Vector: CustomTestStringConvertible, Sendable {
        let name: String
        var method = "GET"
        var path = "/"
        var fields: [HTTPHeader] = []
        var body = ""
        let signature: String

        var testDescription: String { name }
    }

    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    private static func field(_ name: String, _ value: String) -> HTTPHeader { HTTPHeader(name: name, value: value) }

    private static let vanilla = "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"

    private static let suite: [Vector] =
        [
            Vector(name: "get-vanilla", signature: vanilla),
            Vector(
                name: "get-vanilla-empty-query-key", path: "/?Param1=value1",
                signature: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb"),
            Vector(
                name: "get-vanilla-query-order-key", path: "/?Param1=value2&Param1=Value1",
                signature: "eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1"),
            Vector(
                name: "get-vanilla-query-order-key-case", path: "/?Param2=value2&Param1=value1",
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            Vector(
                name: "get-vanilla-query-order-value", path: "/?Param1=value2&Param1=value1",
                signature: "5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694"),
            Vector(
                name: "get-vanilla-query-unreserved", path: "/?\(unreserved)=\(unreserved)",
                signature: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197"),
            Vector(
                name: "get-vanilla-utf8-query", path: "/?%E1%88%B4=bar",
                signature: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04"),
            Vector(
                name: "get-unreserved", path: "/\(unreserved)",
                signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
            Vector(name: "get-relative", path: "/example/..", signature: vanilla),
            Vector(name: "get-relative-relative", path: "/example1/example2/../..", signature: vanilla),
            Vector(name: "get-slash", path: "//", signature: vanilla),
            Vector(name: "get-slash-dot-slash", path: "/./", signature: vanilla),
            Vector(
                name: "get-slash-pointless-dot", path: "/./example",
                signature: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5"),
            Vector(
                name: "get-slashes", path: "//example//",
                signature: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84"),
        ] + fieldsAndBodies

    private static let fieldsAndBodies: [Vector] = [
        Vector(
            name: "get-header-key-duplicate",
            fields: [
                field("My-Header1", "value2"), field("My-Header1", "value2"), field("My-Header1", "value1"),
            ],
            signature: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea"),
        Vector(
            name: "get-header-value-order",
            fields: ["value4", "value1", "value3", "value2"].map { field("My-Header1", $0) },
            signature: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01"),
        Vector(
            name: "get-header-value-trim",
            fields: [field("My-Header1", " value1"), field("My-Header2", " \"a   b   c\"")],
            signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        Vector(
            name: "post-vanilla", method: "POST",
            signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
        Vector(
            name: "post-header-key-sort", method: "POST", fields: [field("My-Header1", "value1")],
            signature: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c"),
        Vector(
            name: "post-header-value-case", method: "POST", fields: [field("My-Header1", "VALUE1")],
            signature: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d"),
        Vector(
            name: "post-vanilla-query", method: "POST", path: "/?Param1=value1",
            signature: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11"),
        Vector(
            name: "post-x-www-form-urlencoded", method: "POST",
            fields: [field("Content-Type", "application/x-www-form-urlencoded")], body: "Param1=value1",
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        Vector(
            name: "post-x-www-form-urlencoded-parameters", method: "POST",
            fields: [field("Content-Type", "application/x-www-form-urlencoded; charset=utf8")], body: "Param1=value1",
            signature: "1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe"),
        Vector(
            name: "post-sts-header-before", method: "POST",
            fields: [field("X-Amz-Security-Token", sessionToken)],
            signature: "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
    ]

    /// Of the suite; it opens nothing.
    private static let sessionToken =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8"
        + "YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6"
        + "fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQ"
        + "wj2ICCR/oLxBA=="

    private func signer(_ service: String = "service", at time: Double = 1_440_938_160) -> AWSSigner {
        let credentials = AWSCredentials(
            accessKeyID: "AKIDEXAMPLE",
            secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
        )
        var signer = AWSSigner(credentials, for: AWSEndpoint(region: "us-east-1", service: service))
        signer.now = { Date(timeIntervalSince1970: time) }
        signer.sendsPayloadHash = false
        return signer
    }

    private func request(_ url: String, _ method: String = "GET", _ fields: [HTTPHeader] = []) throws -> URLRequest {
        var request = URLRequest(url: try HTTPURL(parsing: url))
        request.httpMethod = method
        request.headers = HTTPHeaders(repeating: fields)
        return request
    }

    @Test(arguments: suite)
    func `the signature is the one of Amazon's test suite`(vector: Vector) throws {
        var request = try request(
            "https://example.amazonaws.com\(vector.path)", vector.method, vector.fields)
        try signer().sign(&request, body: .bytes(Array(vector.body.utf8)))
        let authorization = try #require(request.headers["Authorization"])
        #expect(authorization.hasSuffix("Signature=\(vector.signature)"), "\(authorization)")
        #expect(request.headers["X-Amz-Date"] == "20150830T123600Z")
    }

    @Test func `the complete Authorization field is the one of IAM's example`() throws {
        var request = try request(
            "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08", "GET",
            [HTTPHeader(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8")])
        try signer("iam").sign(&request)
        #expect(
            request.headers["Authorization"]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, "
                + "SignedHeaders=content-type;host;x-amz-date, "
                + "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7")
    }

    @Test(arguments: [
        (
            "GET", "/test.txt", [field("Range", "bytes=0-9")], "",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
        ),
        (
            "PUT", "/test$file.text",
            [field("Date", "Fri, 24 May 2013 00:00:00 GMT"), field("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            "Welcome to Amazon S3.", "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
        ),
        ("GET", "/?lifecycle", [], "", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("GET", "/?max-keys=2&prefix=J", [], "", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ])
    func `the signature is the one of S3's examples`(
        method: String, path: String, fields: [HTTPHeader], body: String, signature: String
    ) throws {
        var signer = signer("s3", at: 1_369_353_600)
        signer.credentials = AWSCredentials(
            accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        signer.sendsPayloadHash = true
        var request = try request("https://examplebucket.s3.amazonaws.com\(path)", method, fields)
        try signer.sign(&request, body: .bytes(Array(body.utf8)))
        #expect(request.headers["Authorization"]?.hasSuffix("Signature=\(signature)") == true)
    }

    @Test func `a path is encoded twice, but once for S3`() throws {
        let url = try HTTPURL(parsing: "https://h/a%20b/./%C3%A4!//(x)%2f")
        func path(_ spelling: AWSCanonicalRequest.PathSpelling) -> Substring {
            AWSCanonicalRequest(URLRequest(url: url), to: url, path: spelling, payloadHash: "").text
                .split(separator: "\n")[1]
        }
        #expect(path(.normalized) == "/a%2520b/%25C3%25A4%21/%28x%29%252f")
        #expect(path(.asIs) == "/a%20b/./%C3%A4%21//%28x%29%2F")
    }

    @Test func `a plus in the query is sent as a space`() throws {
        var request = try request("https://example.amazonaws.com/a+b?q=a+b%2Bc&p")
        try signer().sign(&request)
        #expect(request.url?.absoluteString == "https://example.amazonaws.com/a+b?q=a%20b%2Bc&p")
    }

    @Test func `header fields that proxies may change are not signed`() throws {
        var request = try request(
            "http://h:8080/", "POST",
            [
                HTTPHeader(name: "User-Agent", value: "x"), HTTPHeader(name: "Connection", value: "keep-alive"),
                HTTPHeader(name: "X-Own", value: "1"), HTTPHeader(name: "Accept-Encoding", value: "gzip"),
            ])
        try signer().sign(&request)
        #expect(request.headers["Authorization"]?.contains("SignedHeaders=host;x-amz-date;x-own,") == true)
    }

    @Test func `field values are hashed as the octets that are sent`() throws {
        let value = String(octets: [0x61, 0x20, 0x20, 0xE9, 0x09, 0xCC])
        let request = try request("https://h/", "GET", [HTTPHeader(name: "X-Name", value: value)])
        let url = try HTTPURL(parsing: "https://h/")
        let canonical = AWSCanonicalRequest(request, to: url, path: .asIs, payloadHash: "hash")
        let start = Array("GET\n/\n\nhost:h\nx-name:a ".utf8)
        let octets = start + [0xE9, 0x20, 0xCC] + Array("\n\nhost;x-name\nhash".utf8)
        #expect(canonical.digest == SHA256Digest(of: octets))
    }

    @Test func `a request is signed again without its earlier signature`() throws {
        var first = try request("https://h/")
        try signer().sign(&first)
        var second = first
        try signer(at: 1_440_938_161).sign(&second)
        #expect(second.headers.values(for: "Authorization").count == 1)
        #expect(second.headers["X-Amz-Date"] == "20150830T123601Z")
        #expect(second.headers["Authorization"] != first.headers["Authorization"])
        try signer().sign(&second)
        #expect(second.headers["Authorization"] == first.headers["Authorization"])
    }

    @Test func `a body of parts and files is hashed as it is sent`() throws {
        let folder = try ScratchFolder()
        let file = try folder.write("file", to: "f")
        let body = BodySource.parts([.bytes(Array("a".utf8)), .file(path: file, range: 1..<3), .bytes([])])
        var signer = signer()
        signer.sendsPayloadHash = true
        var (whole, parts) = (try request("https://h/", "POST"), try request("https://h/", "POST"))
        try signer.sign(&whole, body: .bytes(Array("ail".utf8)))
        try signer.sign(&parts, body: body)
        #expect(whole == parts)
        #expect(whole.headers["X-Amz-Content-SHA256"]?.count == 64)
    }

    @Test func `a body that can be read only once is sent unsigned only to S3 over TLS`() throws {
        let stream = BodySource.parts([.bytes([1]), .stream(ScriptedStream([.bytes("x")]))])
        var storage = signer("s3")
        storage.sendsPayloadHash = true
        var request = try request("https://h/", "PUT")
        try storage.sign(&request, body: stream)
        #expect(request.headers["X-Amz-Content-SHA256"] == "UNSIGNED-PAYLOAD")
        var other = try self.request("https://h/", "PUT")
        #expect(throws: AWSSigningError.bodyReadOnlyOnce) { try signer().sign(&other, body: stream) }
        var clear = try self.request("http://h/", "PUT")
        #expect(throws: AWSSigningError.bodyReadOnlyOnce) { try storage.sign(&clear, body: stream) }
        #expect(clear.headers.isEmpty)
    }

    @Test(arguments: [
        ("s3.amazonaws.com", "us-east-1", "s3"), ("bucket.s3.amazonaws.com", "us-east-1", "s3"),
        ("my.bucket.s3.eu-west-3.amazonaws.com", "eu-west-3", "s3"),
        ("s3.dualstack.eu-west-3.amazonaws.com", "eu-west-3", "s3"),
        ("bucket.s3-eu-west-1.amazonaws.com", "eu-west-1", "s3"), ("IAM.amazonaws.com", "us-east-1", "iam"),
        ("abc123.execute-api.ap-southeast-2.amazonaws.com", "ap-southeast-2", "execute-api"),
        ("search-logs-x1.eu-central-1.es.amazonaws.com", "eu-central-1", "es"),
        ("abc.lambda-url.eu-north-1.on.aws", "eu-north-1", "lambda"),
        ("api.ecr.us-gov-west-1.amazonaws.com", "us-gov-west-1", "ecr"),
        ("dynamodb.cn-north-1.amazonaws.com.cn", "cn-north-1", "dynamodb"),
        ("email.us-west-2.amazonaws.com", "us-west-2", "ses"),
        ("sts-fips.us-east-1.amazonaws.com", "us-east-1", "sts"),
        ("data-ats.iot.eu-west-1.amazonaws.com", "eu-west-1", "iotdata"),
        ("participant.connect.eu-west-1.amazonaws.com", "eu-west-1", "execute-api"),
        ("appconfigdata.eu-west-1.amazonaws.com", "eu-west-1", "appconfig"),
        ("cloudfront.global.api.aws", "us-east-1", "cloudfront"), ("iam.us-gov.amazonaws.com", "us-gov-west-1", "iam"),
        ("route53.amazonaws.com.cn", "cn-northwest-1", "route53"),
        ("health.eu-west-1.amazonaws.com", "us-east-1", "health"),
    ])
    func `a host of Amazon determines region and service`(host: String, region: String, service: String) {
        #expect(AWSEndpoint(host: host) == AWSEndpoint(region: region, service: service))
    }

    @Test(arguments: ["example.org", "amazonaws.com", "notamazonaws.com", "eu-west-1.amazonaws.com", "127.0.0.1"])
    func `another host determines neither`(host: String) {
        #expect(AWSEndpoint(host: host) == nil)
    }

    @Test func `descriptions of credentials contain no secrets`() {
        let credentials = AWSCredentials(accessKeyID: "AKID", secretAccessKey: "s3cret", sessionToken: "t0ken")
        #expect("\(credentials) \(String(reflecting: credentials))".contains("AKID"))
        #expect(!"\(credentials) \(String(reflecting: credentials))".contains("s3cret"))
        #expect(!"\(credentials) \(String(reflecting: credentials))".contains("t0ken"))
    }
}
