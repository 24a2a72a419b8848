import AFCore
import AFTransport
import AlamofireCompat
import FoundationEssentials
import TestSupport
import Testing

struct TimelineTests {
    private func metrics(_ hops: [(status: Int?, start: Double, responseStart: Double)]) -> TransferMetrics {
        let transactions = hops.map { hop in
            var transaction = TransactionMetrics(
                start: Date(timeIntervalSinceReferenceDate: hop.start), method: .get, url: "http://h/")
            transaction.statusCode = hop.status
            transaction.responseStart = hop.responseStart
            return transaction
        }
        let start = Date(timeIntervalSinceReferenceDate: 1000)
        return TransferMetrics(
            taskInterval: DateInterval(start: start, end: start + 8), transactionMetrics: transactions)
    }

    private func timeline(_ metrics: TransferMetrics?) -> Timeline {
        let response = AFDataResponse<Int>(
            request: nil, response: nil, data: nil, metrics: metrics, serializationDuration: 0.5, result: .success(1))
        let download = AFDownloadResponse<Int>(
            request: nil, response: nil, fileURL: nil, resumeData: nil, metrics: metrics, serializationDuration: 0.5,
            result: .success(1))
        #expect(response.timeline == download.timeline)
        return response.timeline
    }

    @Test func `the points in time come from the metrics`() {
        let timeline = timeline(metrics([(302, 1000, 1), (200, 1002, 3)]))
        #expect(timeline.requestStartTime == 1000)
        #expect(timeline.initialResponseTime == 1005)
        #expect(timeline.requestCompletedTime == 1008)
        #expect(timeline.serializationCompletedTime == 1008.5)
        #expect(timeline.latency == 5)
        #expect(timeline.requestDuration == 8)
        #expect(timeline.serializationDuration == 0.5)
        #expect(timeline.totalDuration == 8.5)
    }

    @Test func `an attempt without a response has its first byte at its end`() {
        #expect(timeline(metrics([(nil, 1000, 1)])).latency == 8)
        #expect(timeline(metrics([])).latency == 8)
    }

    @Test func `points in time are ascending for all clocks`() {
        #expect(timeline(metrics([(200, 900, 1)])).latency == 0)
        #expect(timeline(metrics([(200, 1000, 99)])).latency == 8)
    }

    @Test func `without metrics there is only the serialization`() {
        #expect(timeline(nil) == Timeline(serializationCompletedTime: 0.5))
        #expect(timeline(nil).serializationDuration == 0.5)
    }

    @Test func `the description is readable`() {
        let timeline = Timeline(
            requestStartTime: 1, initialResponseTime: 1.0124, requestCompletedTime: 3.5,
            serializationCompletedTime: 3.501)
        #expect(
            timeline.description == "Timeline: latency 0.012 s, request 2.500 s, serialization 0.001 s, total 2.501 s")
        #expect(
            timeline.debugDescription
                == "Timeline: start 1.0, first byte 1.0124, end 3.5, serialized 3.501; "
                + "latency 0.012 s, request 2.500 s, serialization 0.001 s, total 2.501 s"
        )
    }

    @Test(.timeLimit(.minutes(5))) func `a response of a server has a timeline`() async throws {
        let server = try LocalServer { _ in .ok("x") }
        let before = Date.now.timeIntervalSinceReferenceDate
        let session = Session()
        let timeline = await session.request(server.url()).serializingString().response.timeline
        #expect(timeline.requestStartTime >= before)
        #expect(timeline.latency > 0 && timeline.latency <= timeline.requestDuration)
        #expect(timeline.serializationDuration > 0 && timeline.totalDuration > timeline.requestDuration)
        #expect(timeline.totalDuration < 30)
    }
}
