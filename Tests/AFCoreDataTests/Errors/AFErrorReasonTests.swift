import AFCore
import FoundationEssentials
import Testing

private struct Cause: LocalizedError {
    var errorDescription: String? { "it broke." }
}

/// Every reason of errors: its description and its properties.
struct AFErrorReasonTests {
    private static let file = URL(filePath: "/tmp/a.bin")

    private static let multipart: [(AFError.MultipartEncodingFailureReason, String)] = [
        (
            .bodyPartURLInvalid(url: URL(string: "http://u:p@h/x") ?? file),
            "A multipart file must be a file URL, not http://…@h/x."
        ),
        (
            .bodyPartHeaderInvalid(HTTPHeader(name: "A\n", value: "")),
            "The multipart header \"A\\n\" contains invalid characters."
        ),
        (
            .bodyPartFilenameInvalid(in: file),
            "/tmp/a.bin has no file name with an extension."
        ),
        (.bodyPartFileNotReachable(at: file), "The file /tmp/a.bin cannot be reached."),
        (
            .bodyPartFileNotReachableWithError(atURL: file, error: Cause()),
            "The file /tmp/a.bin cannot be reached: it broke."
        ),
        (.bodyPartFileIsDirectory(at: file), "/tmp/a.bin is a directory; a multipart file must be a file."),
        (
            .bodyPartFileSizeNotAvailable(at: file),
            "The length of /tmp/a.bin is unknown: it is not a regular file."
        ),
        (
            .bodyPartFileSizeQueryFailedWithError(forURL: file, error: Cause()),
            "The size of /tmp/a.bin could not be determined: it broke."
        ),
        (.bodyPartInputStreamCreationFailed(for: file), "The file /tmp/a.bin cannot be opened for reading."),
        (
            .outputStreamCreationFailed(for: file),
            "/tmp/a.bin cannot be opened for writing the multipart body."
        ),
        (
            .outputStreamFileAlreadyExists(at: file),
            "/tmp/a.bin already exists and was not replaced by the multipart body."
        ),
        (
            .outputStreamURLInvalid(url: file),
            "The multipart body can be written to a file URL only, not to /tmp/a.bin."
        ),
        (.outputStreamWriteFailed(error: Cause()), "The multipart body could not be written: it broke."),
        (
            .inputStreamReadFailed(error: AFError.UnexpectedInputStreamLength(bytesExpected: 3, bytesRead: 2)),
            "A multipart part could not be read: expected 3 bytes, got 2."
        ),
    ]

    @Test(arguments: multipart)
    func `errors of multipart encoding describe the reason`(
        reason: AFError.MultipartEncodingFailureReason,
        sentence: String
    ) {
        let error = AFError.multipartEncodingFailed(reason: reason)
        #expect(error.errorDescription == sentence)
        let names = sentence.contains("/tmp/a.bin") || sentence.contains("h/x")
        #expect((error.url != nil) == names)
        #expect((error.underlyingError != nil) == (sentence.contains("it broke") || sentence.contains("expected")))
    }

    @Test(
        arguments: [
            (
                .parameterEncodingFailed(reason: .missingURL),
                "The request has no URL to put the parameters into.", false
            ),
            (
                .parameterEncodingFailed(reason: .jsonEncodingFailed(error: Cause())),
                "The parameters cannot be written as JSON: it broke.", true
            ),
            (
                .parameterEncodingFailed(reason: .customEncodingFailed(error: Cause())),
                "The parameters cannot be encoded: it broke.", true
            ),
            (
                .parameterEncoderFailed(reason: .missingRequiredComponent(.url)),
                "The request has no URL to put the parameters into.", false
            ),
            (
                .parameterEncoderFailed(reason: .missingRequiredComponent(.httpMethod(rawValue: "nil"))),
                "The request's method, \"nil\", does not say where the parameters go.", false
            ),
            (
                .parameterEncoderFailed(reason: .encoderFailed(error: Cause())),
                "The parameters cannot be encoded: it broke.", true
            ),
            (
                .urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data(count: 3))),
                "A GET request must have no body; this one has 3 bytes.", false
            ),
        ] as [(AFError, String, Bool)])
    func `errors of parameters and requests describe the reason`(error: AFError, sentence: String, hasCause: Bool) {
        #expect(error.errorDescription == sentence)
        #expect((error.underlyingError is Cause) == hasCause)
    }

    @Test(
        arguments: [
            (.dataFileNil, "The response cannot be validated: nothing was downloaded."),
            (
                .dataFileReadFailed(at: file),
                "The response cannot be validated: /tmp/a.bin cannot be read."
            ),
            (
                .missingContentType(acceptableContentTypes: ["a/b", "c/d"]),
                "The response names no content type; acceptable: a/b, c/d."
            ),
            (
                .unacceptableContentType(acceptableContentTypes: ["a/b"], responseContentType: "e/f"),
                "The response is e/f; acceptable: a/b."
            ),
            (.unacceptableStatusCode(code: 418), "The response has status 418."),
            (.customValidationFailed(error: Cause()), "The response is not acceptable: it broke."),
        ] as [(AFError.ResponseValidationFailureReason, String)])
    func `errors of validation describe the reason`(reason: AFError.ResponseValidationFailureReason, sentence: String) {
        let error = AFError.responseValidationFailed(reason: reason)
        #expect(error.errorDescription == sentence)
        #expect(error.isResponseValidationError && !error.isResponseSerializationError)
        #expect((error.responseCode == 418) == sentence.contains("418"))
        #expect((error.acceptableContentTypes?.first == "a/b") == sentence.contains("acceptable: a/b"))
        #expect((error.responseContentType == "e/f") == sentence.contains("e/f"))
    }

    @Test(
        arguments: [
            (.inputDataNilOrZeroLength, "The response has no body."),
            (.inputFileNil, "The response has no body: nothing was downloaded."),
            (.inputFileReadFailed(at: file), "The downloaded file /tmp/a.bin cannot be read."),
            (
                .stringSerializationFailed(encoding: .ascii),
                "The response is not text in the encoding \(String.Encoding.ascii)."
            ),
            (.jsonSerializationFailed(error: Cause()), "The response is not JSON: it broke."),
            (.decodingFailed(error: Cause()), "The response cannot be decoded: it broke."),
            (.customSerializationFailed(error: Cause()), "The response cannot be read: it broke."),
            (
                .invalidEmptyResponse(type: "User"),
                "The response is empty and User has no empty value; ask for Empty or let User be an EmptyResponse."
            ),
        ] as [(AFError.ResponseSerializationFailureReason, String)])
    func `errors of serialization describe the reason`(
        reason: AFError.ResponseSerializationFailureReason,
        sentence: String
    ) {
        let error = AFError.responseSerializationFailed(reason: reason)
        #expect(error.errorDescription == sentence)
        #expect(error.isResponseSerializationError && !error.isResponseValidationError)
        #expect((error.failedStringEncoding == .ascii) == sentence.contains("not text"))
        #expect((error.underlyingError is Cause) == sentence.contains("it broke"))
    }

    @Test(
        arguments: [
            (.createUploadableFailed(error: Cause()), "The body of the upload could not be created: it broke."),
            (.createURLRequestFailed(error: Cause()), "The request could not be created: it broke."),
            (
                .downloadedFileMoveFailed(error: Cause(), source: file, destination: URL(filePath: "/b")),
                "The download cannot be moved from /tmp/a.bin to /b: it broke."
            ),
            (.explicitlyCancelled, "The request was canceled."),
            (.invalidURL(url: "http://a b"), "\"http://a b\" is not a URL."),
            (.requestAdaptationFailed(error: Cause()), "An adapter rejected the request: it broke."),
            (
                .requestRetryFailed(retryError: Cause(), originalError: AFError.explicitlyCancelled),
                "The retry failed: it broke. The original failure: The request was canceled."
            ),
            (
                .sessionDeinitialized,
                "The session was deallocated before the request finished; keep a reference to it."
            ),
            (.sessionInvalidated(error: Cause()), "The session was shut down: it broke."),
            (.sessionInvalidated(error: nil), "The session was shut down before the request was finished."),
            (.sessionTaskFailed(error: Cause()), "The transfer failed: it broke."),
        ] as [(AFError, String)])
    func `errors that end a request early describe the reason`(error: AFError, sentence: String) {
        #expect(error.errorDescription == sentence)
        #expect(error.localizedDescription == sentence)
    }
}
