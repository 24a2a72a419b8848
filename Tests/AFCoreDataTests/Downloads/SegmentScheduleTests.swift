import AFCore
@_spi(Requests) import AFRequests
import AFTransport
import Testing

@testable import AFDownloads

/// Which transfers of a segmented download run, and how all of them end.
struct SegmentScheduleTests {
    private let broken = DownloadRequest.Failure.attempt(.transfer(TransferFailure(.truncated, "broken")))
    private let rejected = DownloadRequest.Failure.attempt(
        .request(.responseValidationFailed(reason: .unacceptableStatusCode(code: 503))))

    /// A schedule with running segments beside the download's own transfer, which has number 1.
    private func schedule(_ numbers: Int..., width: Int = 4) -> SegmentSchedule {
        var schedule = SegmentSchedule(width: width)
        for number in numbers { schedule.start(number) }
        return schedule
    }

    @Test func `the download's own transfer counts`() {
        #expect(!schedule(width: 1).hasSpace)
        #expect(schedule(width: 2).hasSpace)
        #expect(!schedule(2, width: 2).hasSpace)
    }

    @Test func `all transfers have ended when none is running`() {
        var schedule = schedule(2)
        #expect(!schedule.isOver)
        #expect(schedule.ownTransferEnded(1, nil, isFinal: false, mayReplace: true) == .proceed)
        #expect(!schedule.isOver)
        #expect(schedule.segmentEnded(2, nil, isSmallPart: false) == false)
        #expect(schedule.isOver)
        #expect(!schedule.isCompletedBySegment)
        #expect(!schedule.hasFailed)
    }

    @Test func `a segment replaces the download's own failed transfer while others run`() {
        var schedule = schedule(2)
        #expect(schedule.ownTransferEnded(1, broken, isFinal: false, mayReplace: true) == .replace)
        #expect(schedule.running == [1, 2])
        #expect(schedule.isCompletedBySegment)
        #expect(!schedule.hasFailed)
    }

    @Test func `without another transfer the download asks the retriers itself`() {
        var schedule = schedule()
        #expect(schedule.ownTransferEnded(1, broken, isFinal: false, mayReplace: true) == .proceed)
        #expect(schedule.isOver && !schedule.hasSpace)
        #expect(!schedule.hasFailed)
    }

    @Test(arguments: [(true, true), (false, false)])
    func `a final failure ends the other transfers`(isFinal: Bool, mayReplace: Bool) {
        var schedule = schedule(2)
        #expect(schedule.ownTransferEnded(1, broken, isFinal: isFinal, mayReplace: mayReplace) == .stop)
        #expect(schedule.hasFailed)
        #expect(!schedule.hasSpace)
    }

    @Test func `a segment's failure ends the other transfers, once`() {
        var schedule = schedule(2, 3)
        #expect(schedule.segmentEnded(2, broken, isSmallPart: false) == true)
        #expect(schedule.hasFailed)
        #expect(schedule.segmentEnded(3, broken, isSmallPart: false) == false)
        #expect(schedule.ownTransferEnded(1, broken, isFinal: false, mayReplace: true) == .proceed)
        #expect(schedule.isOver)
    }

    @Test func `a server that rejects a number of connections gets fewer`() {
        var schedule = schedule(2, 3)
        #expect(schedule.segmentEnded(3, rejected, isSmallPart: false) == false)
        #expect(schedule.width == 2 && !schedule.hasSpace)
        #expect(!schedule.hasFailed)
    }

    @Test func `the rejection of the only transfer is the download's failure, not its status`() {
        var schedule = schedule(2)
        _ = schedule.ownTransferEnded(1, nil, isFinal: false, mayReplace: true)
        #expect(schedule.segmentEnded(2, rejected, isSmallPart: false) == true)
        #expect(schedule.failure?.error.responseCode == nil)
        #expect(schedule.failure?.reason == .segmentRejected(status: 503))
    }

    @Test func `a thousand small parts are accepted, and no more`() {
        var schedule = schedule()
        for number in 2...1001 {
            schedule.start(number)
            #expect(schedule.segmentEnded(number, nil, isSmallPart: true) == false)
        }
        schedule.start(1002)
        #expect(schedule.segmentEnded(1002, nil, isSmallPart: true) == true)
        #expect(schedule.hasFailed)
    }

    @Test func `a segment that cannot be started ends the download after the others`() {
        var schedule = schedule(2, 3)
        schedule.abandon(3, because: .sessionDeinitialized)
        #expect(schedule.running == [2])
        #expect(!schedule.hasSpace && !schedule.isOver)
        schedule.abandon(2, because: .explicitlyCancelled)
        #expect(schedule.failure?.error.isSessionDeinitializedError == true)
    }
}

extension SegmentSchedule {
    fileprivate var hasFailed: Bool { failure != nil }
}
