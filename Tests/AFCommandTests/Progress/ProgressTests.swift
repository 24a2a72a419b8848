import TestSupport
import Testing

@testable import AFCommand
@testable import AFFormatting
@testable import AFJSON

@Suite struct RateEstimatorTests {
    @Test func `bytes of an earlier run are not part of the rate`() throws {
        var estimator = RateEstimator()
        for second in 0...5 {
            estimator.update(sample(Double(second), bytes: 1_000_000_000 + Int64(second) * 1000, total: 1_000_010_000))
        }
        #expect(abs(try #require(estimator.rate) - 1000) < 1e-6)
        #expect(abs(try #require(estimator.remaining) - 5) < 1e-6)
        #expect(abs(try #require(estimator.averageRate) - 1000) < 1e-6)
    }

    @Test func `a stall lowers the rate and extends the remaining time`() throws {
        var estimator = RateEstimator()
        estimator.update(sample(0, bytes: 0, total: 100_000, resumed: 0))
        estimator.update(sample(5, bytes: 50_000, total: 100_000, resumed: 0))
        let before = try #require(estimator.rate)
        for second in 6...12 { estimator.update(sample(Double(second), bytes: 50_000, total: 100_000, resumed: 0)) }
        #expect(try #require(estimator.rate) < before / 4)
    }

    @Test func `samples of the same time are combined with the next`() throws {
        var estimator = RateEstimator()
        estimator.update(sample(0, bytes: 0, resumed: 0))
        estimator.update(sample(0, bytes: 500, resumed: 0))
        estimator.update(sample(1, bytes: 1000, resumed: 0))
        #expect(abs(try #require(estimator.rate) - 1000) < 1e-6)
    }

    private func sample(_ now: Double, bytes: Int64, total: Int64? = nil, resumed: Int64 = 1_000_000_000)
        -> ProgressSample
    {
        ProgressSample(now: now, phase: .receiving, bytes: bytes, total: total, resumedBytes: resumed)
    }
}

@Suite struct ProgressBarTests {
    private func halfway(isUTF8: Bool = true, name: String = "tool.tar") -> ProgressBar {
        var bar = ProgressBar(name: name, isUTF8: isUTF8)
        for second in 0...10 {
            let bytes = 10_000_000 + Int64(second) * 2_000_000
            bar.update(
                ProgressSample(
                    now: Double(second), phase: .receiving, bytes: bytes, total: 60_000_000, resumedBytes: 10_000_000))
        }
        return bar
    }

    @Test func `the line shows progress, rate and remaining time`() {
        #expect(
            halfway().line(columns: 84)
                == "tool.tar  ━━━━━━━━━━━━━──────────────  50.0 %  30.0 MB / 60.0 MB  2.0 MB/s  ETA 0:15")
    }

    @Test func `less important details are omitted in a narrow terminal`() {
        #expect(halfway().line(columns: 50) == "tool.tar  50.0 %  30.0 MB / 60.0 MB  2.0 MB/s")
        #expect(halfway().line(columns: 20) == "tool.tar  50.0 %")
    }

    @Test(arguments: 1...130)
    func `the line is never wider than the terminal`(columns: Int) {
        var bar = halfway(name: "東京-a-rather-long-file-name-\u{1B}[2J.tar.gz")
        #expect(bar.line(columns: columns).columnCount <= columns)
        #expect(!bar.line(columns: columns).holdsTerminalControls)
        bar.update(ProgressSample(now: 12, phase: .waiting, bytes: 60_000_000, total: 60_000_000))
        #expect(bar.line(columns: columns).columnCount <= columns)
        bar.update(ProgressSample(now: 13, phase: .done, bytes: 60_000_000, total: 60_000_000))
        #expect(bar.line(columns: columns).columnCount <= columns)
    }

    @Test func `an upload ends with waiting for the response`() {
        var bar = ProgressBar(name: "big.bin", isUTF8: false)
        bar.update(ProgressSample(now: 0, phase: .sending, bytes: 0))
        bar.update(ProgressSample(now: 2, phase: .sending, bytes: 4_000_000))
        #expect(bar.line(columns: 80) == "big.bin  4.0 MB  2.0 MB/s  0:02")
        bar.update(ProgressSample(now: 3, phase: .waiting, bytes: 6_000_000))
        bar.update(ProgressSample(now: 8, phase: .waiting, bytes: 6_000_000))
        #expect(bar.line(columns: 80) == "big.bin  waiting for response  0:05  6.0 MB sent")
    }

    @Test func `the end shows a summary`() {
        var bar = halfway()
        bar.update(
            ProgressSample(now: 25, phase: .done, bytes: 60_000_000, total: 60_000_000, resumedBytes: 10_000_000))
        #expect(bar.line(columns: 80) == "tool.tar  50.0 of 60.0 MB in 25.00 s, 2.0 MB/s, resumed at 10.0 MB")
    }

    @Test func `there are at most ten redraws a second`() {
        var bar = ProgressBar(name: "x")
        var count = 0
        for step in 0..<1000 {
            let now = Double(step) / 1000
            bar.update(ProgressSample(now: now, phase: .receiving, bytes: Int64(step)))
            if bar.shouldDraw(at: now) { count += 1 }
        }
        #expect(9...10 ~= count)
        bar.update(ProgressSample(now: 1, phase: .done, bytes: 1000))
        let isDrawnAtOnce = bar.shouldDraw(at: 1)
        #expect(isDrawnAtOnce)
    }
}

@Suite struct SparseProgressTests {
    @Test func `without a terminal each tenth is a line`() {
        var progress = SparseProgress(name: "a\u{1B}b")
        let lines = (0...100).compactMap { percent in
            progress.line(
                for: ProgressSample(
                    now: Double(percent) / 10, phase: percent == 100 ? .done : .receiving, bytes: Int64(percent) * 1000,
                    total: 100_000))
        }
        #expect(lines.count == 10)
        #expect(lines.first == #"a\x1bb: 10 %, 10.0 kB of 100.0 kB, 10.0 kB/s, ETA 0:09"#)
        #expect(lines.last == #"a\x1bb: 100.0 kB in 10.00 s"#)
    }

    @Test func `without a total there is a line every thirty seconds`() {
        var progress = SparseProgress(name: "f")
        let lines = (0...100).compactMap {
            progress.line(for: ProgressSample(now: Double($0), phase: .receiving, bytes: Int64($0) * 1000))
        }
        #expect(lines == ["f: 30.0 kB, 1.0 kB/s", "f: 60.0 kB, 1.0 kB/s", "f: 90.0 kB, 1.0 kB/s"])
    }
}

@Suite struct ProgressEventsTests {
    @Test func `events are JSON lines, ten a second at most`() throws {
        var events = ProgressEvents(name: "a\"\\\u{1B}\u{202E}é")
        let first = events.line(for: ProgressSample(now: 0, phase: .receiving, bytes: 5, total: 105, resumedBytes: 5))
        #expect(
            first == #"{"event":"progress","name":"a\"\\\u001b\u202eé","phase":"receiving","bytes":5,"total":105,"#
                + #""resumed":5,"rate":null,"eta":null,"elapsed":0.000}"#)
        #expect(events.line(for: ProgressSample(now: 0.05, phase: .receiving, bytes: 10)) == nil)
        let done = events.line(for: ProgressSample(now: 0.06, phase: .done, bytes: 105))
        #expect(done?.contains(#""phase":"done","bytes":105,"total":null"#) == true)
        #expect(throws: Never.self) { try JSONCursor(Array((first ?? "").utf8)) }
    }
}
