import AFCore
import Testing

@testable import AFCommand

@Suite struct FailureEntryTests {
    private func diagnosis(_ failure: TransferFailure, _ words: String...) throws -> Diagnosis {
        let plan = try Plan(Invocation(parsing: words), ToolWorld().environment)
        return Diagnosis(failure, FailureContext(plan, nil))
    }

    @Test func `a message names the host and the port`() throws {
        let failure = TransferFailure(.idleTimedOut, "no progress")
        let diagnosis = try diagnosis(failure, "--timeout", "0.3", "http://h.example:81/x")
        #expect(diagnosis.message == "the transfer with h.example:81 made no progress for 300 ms")
        #expect(diagnosis.hint == "increase --timeout")
        #expect(diagnosis.exitStatus == .timeout)
    }

    @Test func `without a context, the message is that of the failure`() {
        let diagnosis = Diagnosis(TransferFailure(.cannotConnect, "Failed to connect"))
        #expect(diagnosis.message == "failed to connect")
        #expect(diagnosis.hint == "check host and port, and that a server is listening")
        #expect(diagnosis.exitStatus == .unconnected)
    }

    @Test func `the hint to retry is omitted if retries were typed, also for a refused stream`() throws {
        for reason in [nil, TransferFailure.Reason.streamRefused] {
            let failure = TransferFailure(.connectionLost, "the stream was reset", reason: reason)
            #expect(try diagnosis(failure, "h.example").hint == "use --retry 3 to retry")
            #expect(try diagnosis(failure, "--retry", "2", "h.example").hint == nil)
        }
    }

    @Test func `a certificate that is not trusted has a hint for its reason`() throws {
        let expired = TransferFailure(.untrustedCertificate, "certificate has expired", reason: .expired)
        #expect(
            try diagnosis(expired, "https://h.example").hint
                == "check this machine's clock; --verify no accepts the certificate anyway")
        let unknown = TransferFailure(.untrustedCertificate, "self-signed certificate")
        #expect(
            try diagnosis(unknown, "https://h.example").hint
                == "set the CA certificate with --cacert FILE; --verify no accepts any certificate")
    }

    @Test func `a server without a certificate for the host speaks TLS`() throws {
        let failure = TransferFailure(.secureConnectionFailed, "tlsv1 unrecognized name", reason: .hostMismatch)
        #expect(
            try diagnosis(failure, "https://h.example").hint == "check the host: the server has no certificate for it")
    }

    @Test func `only limits with an option have a hint`() throws {
        let libcurl = TransferFailure(.headTooLarge, "the header is too large")
        #expect(try diagnosis(libcurl, "h.example").hint == nil)
        let own = TransferFailure(.headTooLarge, "the header is too large", reason: .headBytes)
        #expect(try diagnosis(own, "h.example").hint == "increase --max-head-size")
    }
}
