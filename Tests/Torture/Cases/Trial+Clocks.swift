import Glibc
import TestSupport

extension Trial {
    static let clocks: [Trial] = [
        Trial(.time, "the server's clock is set back a week, ETag", .identical) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            try await fixture.downloadPart(of: version)
            return try await fixture.attemptTwice(
                PlannedResponse(version.with(date: Version.lastWeek)), expected: version)
        },
        Trial(.time, "the server's clock is set back before Last-Modified", .identical) { fixture in
            let version = Version(1, lastModified: Version.yesterday)
            try await fixture.downloadPart(of: version)
            return try await fixture.attemptTwice(
                PlannedResponse(version.with(date: Version.lastWeek)), expected: version)
        },
        Trial(.time, "the server's clock is set back, and the resource is an older one", .identical) { fixture in
            try await fixture.downloadPart(of: Version(1, lastModified: Version.yesterday))
            let older = Version(2, lastModified: Version.lastWeek).with(date: Version.lastWeek)
            return try await fixture.attemptTwice(PlannedResponse(older), expected: older)
        },
        Trial(.time, "already complete, then an older resource of the same length", .identical) { fixture in
            let new = Version(1, lastModified: Version.yesterday)
            var job = fixture.job
            job.keepsRemoteTime = true
            try await fixture.downloadAll(of: new, job: job)
            let older = Version(2, lastModified: Version.lastWeek).with(date: Version.yesterday)
            return try await fixture.attemptTwice(PlannedResponse(older), expected: older, earlier: new, job: job)
        },
        dated("the partial file is dated ten years ahead", years: 10),
        dated("the partial file is dated ten years ago", years: -10),
        timed("the local clock is set back a day between the attempts", "-1d"),
        timed("the local clock is set ahead ten years between the attempts", "+3650d"),
        Trial(.time, "the local clock is set back a day during the transfer", .identical) { fixture in
            let version = Version(1, size: 400_000, entityTag: "\"v1\"")
            let slow = PlannedResponse(version, pace: PlannedResponse.Pace(piece: 8 << 10, pause: 10_000))
            fixture.origin.respond(with: slow)
            let clock = try fixture.folder.write("+0", to: "clock")
            var program = fixture.program(fixture.job)
            program.environment["LD_PRELOAD"] = fixture.tools.fakeTime
            program.environment["FAKETIME_TIMESTAMP_FILE"] = clock
            program.environment["FAKETIME_NO_CACHE"] = "1"
            let running = try program.start()
            try await eventually("a part is on disk") { fixture.bytesOnDisk > 150_000 || running.hasEnded }
            // Atomically, as the program may read the file at any time.
            try fixture.folder.write("-1d", to: "clock.new")
            rename(fixture.folder.file("clock.new"), clock)
            let ending = try await running.result(within: Fixture.limit)
            return [fixture.verdict(ending, expected: [version])]
        },
    ]

    private static func dated(_ name: String, years: Int) -> Trial {
        Trial(.time, name, .identical) { fixture in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.yesterday)
            try await fixture.downloadPart(of: version)
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let then = timespec(tv_sec: now.tv_sec + years * 31_557_600, tv_nsec: 0)
            for name in [fixture.partialName, fixture.partialName + ".json"] {
                utimensat(AT_FDCWD, fixture.file(name), [then, then], 0)
            }
            return try await fixture.attemptTwice(PlannedResponse(version), expected: version)
        }
    }

    private static func timed(_ name: String, _ shift: String) -> Trial {
        Trial(.time, name, .identical) { fixture in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.yesterday)
            try await fixture.downloadPart(of: version)
            let library = fixture.tools.fakeTime
            return try await fixture.attemptTwice(PlannedResponse(version), expected: version) { program in
                program.environment["LD_PRELOAD"] = library
                program.environment["FAKETIME"] = shift
            }
        }
    }
}
