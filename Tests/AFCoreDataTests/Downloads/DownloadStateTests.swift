import AFCore
import Testing

@testable import AFDownloads

/// When a download is restarted, and which record it resumes.
struct DownloadStateTests {
    private func record(proof: DownloadRecord.Proof? = nil, tag: String? = "\"v1\"") -> DownloadRecord {
        var record = DownloadRecord(url: "http://a.test/", partialPath: "/tmp/file.part")
        (record.proof, record.entityTag, record.completedBytes) = (proof, tag, 10)
        return record
    }

    /// The state of an attempt that resumes a record.
    private func resuming() -> DownloadState {
        var state = DownloadState(earlier: DownloadState.EarlierBytes(record: record()))
        state.earlier.resumed = state.earlier.record
        return state
    }

    @Test func `a record with a validator is resumed`() {
        #expect(resuming().resumableRecord(decodingContent: true) == record())
        let state = DownloadState(earlier: DownloadState.EarlierBytes(record: record(tag: nil)))
        #expect(state.resumableRecord(decodingContent: true) == nil)
    }

    @Test func `a record that requires a checksum is resumed only with one`() {
        let earlier = DownloadState.EarlierBytes(record: record(proof: .checksum, tag: nil))
        var state = DownloadState(earlier: earlier)
        #expect(state.resumableRecord(decodingContent: true) == nil)
        state.checksums.append { _ in [] }
        #expect(state.resumableRecord(decodingContent: true) == earlier.record)
    }

    @Test func `decoded bytes are not resumed by a session that does not decode`() {
        var earlier = DownloadState.EarlierBytes(record: record())
        earlier.record?.isDecoded = true
        let state = DownloadState(earlier: earlier)
        #expect(state.resumableRecord(decodingContent: true) != nil)
        #expect(state.resumableRecord(decodingContent: false) == nil)
    }

    @Test func `a range of a compressed body is refused only if it would be decompressed`() {
        for (coding, isDecoding, reason) in [
            ("gzip", true, DownloadFailure.Reason.codedRange), ("gzip", false, nil), ("aws-chunked", true, nil),
            ("", true, nil),
        ] {
            let response = HTTPURLResponse(
                url: nil, statusCode: 206,
                headers: ["Content-Range": "bytes 0-1/9", "Content-Length": "2", "Content-Encoding": coding])
            #expect(response.failure(ofRange: "bytes=0-1", decodingContent: isDecoding) == reason)
        }
        let other = HTTPURLResponse(url: nil, statusCode: 206, headers: ["Content-Range": "bytes 1-2/9"])
        #expect(other.failure(ofRange: "bytes=0-1", decodingContent: true) == .wrongRange)
    }

    @Test func `a server that cannot resume is asked for the complete file once`() {
        var state = resuming()
        #expect(state.prepareRestart(after: .rangeRefused, nil) == true)
        #expect(state.earlier.record == nil)
        state.earlier.record = record()
        #expect(state.prepareRestart(after: .rangeRefused, nil) == false)
        #expect(state.earlier.record == nil)
    }

    @Test func `a download that resumed nothing is not restarted`() {
        var state = DownloadState(earlier: DownloadState.EarlierBytes())
        #expect(state.prepareRestart(after: .wrongRange, nil) == false)
    }

    @Test func `a contradictory 304 is asked again without the condition, and keeps the record`() {
        var state = resuming()
        state.earlier.known = record()
        #expect(state.prepareRestart(after: .contradictoryNotModified, nil) == true)
        #expect(state.earlier.known == nil)
        #expect(state.earlier.record != nil)
        #expect(state.prepareRestart(after: .contradictoryNotModified, nil) == false)
    }

    @Test func `another attempt has no file and may be retried`() {
        var state = resuming()
        state.attemptEnd = DownloadState.AttemptEnd(reason: .busy, isOfSegment: true)
        #expect(!state.mayBeRetried)
        _ = state.file.fail(DownloadFailure(.busy, path: ""))
        state.resetForRetry()
        #expect(state.mayBeRetried && state.attemptEnd?.reason == nil)
        #expect(state.file.failure?.cause == nil)
    }
}
