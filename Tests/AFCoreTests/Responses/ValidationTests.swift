import AFCore
import FoundationEssentials
import TestSupport
import Testing

struct ValidationTests {
    private func reason(_ result: Request.ValidationResult) -> AFError.ResponseValidationFailureReason? {
        guard case .failure(let error) = result, case .responseValidationFailed(let reason) = error.asAFError else {
            return nil
        }
        return reason
    }

    private func check(_ type: String?, acceptable: [String], isBodyEmpty: Bool = false) -> Request.ValidationResult {
        let response = HTTPURLResponse(
            url: URL(filePath: "/"),
            statusCode: 200,
            headers: type.map { ["content-type": $0] } ?? [:]
        )
        return ResponseValidation.contentType(of: response, acceptable: acceptable, isBodyEmpty: isBodyEmpty)
    }

    private func passes(_ result: Request.ValidationResult) -> Bool {
        if case .success = result { true } else { false }
    }

    @Test(arguments: [(200, true), (299, true), (199, false), (300, false), (404, false), (0, false)])
    func `the default acceptable statuses are 200 to 299`(status: Int, isFine: Bool) {
        let result = ResponseValidation.status(status, acceptable: ResponseValidation.acceptableStatusCodes)
        #expect(passes(result) == isFine)
        if !isFine {
            guard case .unacceptableStatusCode(code: status) = reason(result) else { Issue.record(); return }
        }
    }

    @Test func `any sequence of statuses can be acceptable`() {
        #expect(passes(ResponseValidation.status(404, acceptable: [404])))
        #expect(!passes(ResponseValidation.status(200, acceptable: Set<Int>())))
    }

    @Test(arguments: [
        ("application/json", "application/json", true),
        ("application/json; charset=utf-8", "application/json", true),
        ("application/json", "application/json;q=0.5", true),
        ("text/html", "text/*", true), ("text/html", "*/html", true), ("text/html", "*/*", true),
        ("text/html", "application/json", false), ("text/html", "nonsense", false), ("text/html", "text/html/x", false),
        ("text/*", "text/html", false),
    ])
    func `a media type is valid if an acceptable one matches it`(type: String, acceptable: String, isFine: Bool) {
        #expect(passes(check(type, acceptable: ["a/b", acceptable])) == isFine)
    }

    @Test func `media types are compared without case, unlike in Alamofire`() {
        #expect(passes(check("Application/JSON", acceptable: ["application/json"])))
        #expect(passes(check("application/json", acceptable: ["APPLICATION/Json"])))
    }

    @Test(arguments: [nil, "", "nonsense", "a/b/c"])
    func `a response without a valid media type matches only */*`(type: String?) {
        #expect(passes(check(type, acceptable: ["a/b", "*/*"])))
        guard
            case .missingContentType(acceptableContentTypes: ["a/b", "c/*"]) = reason(
                check(type, acceptable: ["c/*", "a/b"]))
        else { Issue.record(); return }
    }

    @Test func `the error has the acceptable types in sorted order`() {
        let failure = reason(check("X/Y; z=1", acceptable: ["c/d", "a/b"]))
        guard
            case .unacceptableContentType(acceptableContentTypes: ["a/b", "c/d"], responseContentType: "x/y") = failure
        else { Issue.record("\(String(describing: failure))"); return }
    }

    @Test func `the media type of an empty body is not validated`() {
        #expect(passes(check("text/html", acceptable: ["a/b"], isBodyEmpty: true)))
        #expect(passes(check(nil, acceptable: [], isBodyEmpty: true)))
    }

    @Test func `the size of a download's file decides whether the body is empty`() throws {
        try withScratchFolder { folder in
            let response = HTTPURLResponse(url: folder, statusCode: 200, headers: ["Content-Type": "text/html"])
            func check(_ file: URL?) -> Request.ValidationResult {
                ResponseValidation.contentType(of: response, acceptable: ["a/b"], fileURL: file)
            }
            let file = folder.appending(path: "f")
            guard case .dataFileNil = reason(check(nil)) else { Issue.record(); return }
            guard case .dataFileReadFailed(at: file) = reason(check(file)) else { Issue.record(); return }
            try Data().write(to: file)
            #expect(passes(check(file)))
            try Data("x".utf8).write(to: file)
            guard case .unacceptableContentType = reason(check(file)) else { Issue.record(); return }
        }
    }

    @Test func `the acceptable types of a request come from its Accept field`() throws {
        var request = URLRequest(url: try "http://h".asURL())
        #expect(ResponseValidation.acceptableContentTypes(of: request) == ["*/*"])
        #expect(ResponseValidation.acceptableContentTypes(of: nil) == ["*/*"])
        request.headers.append(name: "accept", value: #"text/html;q=0.9 , a/b;x="1,2",,"#)
        request.headers.append(name: "Accept", value: "image/*")
        #expect(
            ResponseValidation.acceptableContentTypes(of: request) == ["text/html;q=0.9", #"a/b;x="1,2""#, "image/*"])
        request.headers["Accept"] = " "
        #expect(ResponseValidation.acceptableContentTypes(of: request) == ["*/*"])
    }
}
