import AFCore
import FoundationEssentials
import Testing

private struct Cause: LocalizedError, Equatable {
    var errorDescription: String? { "The cause." }
}

private struct Interrupted: ResumableError {
    let resumeData: Data?
}

struct AFErrorTests {
    private static let file = URL(fileURLWithPath: "/tmp/one.bin")
    private static let samples: [(error: AFError, kind: any KeyPath<AFError, Bool> & Sendable)] = [
        (.createUploadableFailed(error: Cause()), \.isCreateUploadableError),
        (.createURLRequestFailed(error: Cause()), \.isCreateURLRequestError),
        (.downloadedFileMoveFailed(error: Cause(), source: file, destination: file), \.isDownloadedFileMoveError),
        (.explicitlyCancelled, \.isExplicitlyCancelledError),
        (.invalidURL(url: "http://a b"), \.isInvalidURLError),
        (.multipartEncodingFailed(reason: .outputStreamWriteFailed(error: Cause())), \.isMultipartEncodingError),
        (.parameterEncodingFailed(reason: .jsonEncodingFailed(error: Cause())), \.isParameterEncodingError),
        (.parameterEncoderFailed(reason: .encoderFailed(error: Cause())), \.isParameterEncoderError),
        (.requestAdaptationFailed(error: Cause()), \.isRequestAdaptationError),
        (.requestRetryFailed(retryError: Cause(), originalError: AFError.explicitlyCancelled), \.isRequestRetryError),
        (.responseValidationFailed(reason: .customValidationFailed(error: Cause())), \.isResponseValidationError),
        (.responseSerializationFailed(reason: .decodingFailed(error: Cause())), \.isResponseSerializationError),
        (.serverTrustEvaluationFailed(reason: .customEvaluationFailed(error: Cause())), \.isServerTrustEvaluationError),
        (.sessionDeinitialized, \.isSessionDeinitializedError),
        (.sessionInvalidated(error: Cause()), \.isSessionInvalidatedError),
        (.sessionTaskFailed(error: Cause()), \.isSessionTaskError),
    ]

    @Test func `each kind of error has its own property, and no other is true`() {
        for (place, sample) in Self.samples.enumerated() {
            for (other, question) in Self.samples.enumerated() {
                #expect(sample.error[keyPath: question.kind] == (place == other))
            }
        }
        let unsendable = AFError.urlRequestValidationFailed(reason: .bodyDataInGETRequest(Data()))
        #expect(Self.samples.allSatisfy { !unsendable[keyPath: $0.kind] })
    }

    @Test func `the underlying error is the error of the component that failed`() {
        let without = Self.samples.filter { $0.error.underlyingError == nil }
        #expect(without.count == 3)
        #expect(without.allSatisfy { !($0.error.localizedDescription.contains("The cause")) })
        let with = Self.samples.filter { $0.error.underlyingError is Cause }
        #expect(with.count == Self.samples.count - 3)
        #expect(with.allSatisfy { $0.error.localizedDescription.contains("The cause.") })
    }

    @Test func `every description ends with one full stop`() {
        for sample in Self.samples {
            let sentence = sample.error.localizedDescription
            #expect(sentence.hasSuffix(".") && !sentence.hasSuffix(".."), "\(sentence)")
            #expect((sample.error as any LocalizedError).errorDescription == sentence)
        }
    }

    @Test func `properties have the associated values of their cases`() {
        let type = AFError.responseValidationFailed(
            reason: .unacceptableContentType(acceptableContentTypes: ["a/b"], responseContentType: "c/d")
        )
        #expect(type.acceptableContentTypes == ["a/b"])
        #expect(type.responseContentType == "c/d")
        #expect(type.responseCode == nil)
        let missing = AFError.responseValidationFailed(reason: .missingContentType(acceptableContentTypes: ["a/b"]))
        #expect(missing.acceptableContentTypes == ["a/b"])
        #expect(missing.responseContentType == nil)
        #expect(AFError.responseValidationFailed(reason: .unacceptableStatusCode(code: 404)).responseCode == 404)
        let text = AFError.responseSerializationFailed(reason: .stringSerializationFailed(encoding: .utf16))
        #expect(text.failedStringEncoding == .utf16)
        #expect(AFError.multipartEncodingFailed(reason: .bodyPartFileIsDirectory(at: Self.file)).url == Self.file)
        #expect(AFError.invalidURL(url: Self.file).url == nil)
        #expect(AFError.invalidURL(url: "x y").urlConvertible as? String == "x y")
        let other = URL(fileURLWithPath: "/tmp/two.bin")
        let move = AFError.downloadedFileMoveFailed(error: Cause(), source: Self.file, destination: other)
        #expect(move.sourceURL == Self.file)
        #expect(move.destinationURL == other)
    }

    @Test func `resume data comes from the underlying error`() {
        let data = Data([1, 2, 3])
        #expect(AFError.sessionTaskFailed(error: Interrupted(resumeData: data)).downloadResumeData == data)
        #expect(AFError.sessionTaskFailed(error: Cause()).downloadResumeData == nil)
    }

    @Test func `any error can be converted to AFError`() {
        let error: any Error = AFError.explicitlyCancelled
        #expect(error.asAFError?.isExplicitlyCancelledError == true)
        #expect(error.asAFError(orFailWith: "never").isExplicitlyCancelledError)
        #expect(error.asAFError(or: .sessionDeinitialized).isExplicitlyCancelledError)
        #expect(Cause().asAFError == nil)
        #expect(Cause().asAFError(or: .sessionTaskFailed(error: Cause())).underlyingError as? Cause == Cause())
    }

    @Test(arguments: [
        "http://user:secret@host/path", "http://user:sec/ret@host/", "user:secret@host", "http://user:sec@ret@host",
    ])
    func `no description contains a password`(url: String) {
        let sentence = AFError.invalidURL(url: url).localizedDescription
        #expect(!sentence.contains("sec") && !sentence.contains("user") && !sentence.contains("ret"))
        #expect(sentence.contains("host"))
    }
}
