import Glibc
import TestSupport

extension Trial {
    static let clocks: [Trial] = [
        Trial(.time, "the server's clock is set back a week, ETag", .identical) { stage in
            let version = Version(1, entityTag: "\"v1\"")
            try await stage.begin(with: version)
            return try await stage.trouble(Offer(version.served(at: Version.lastWeek)), wanted: version)
        },
        Trial(.time, "the server's clock is set back before Last-Modified", .identical) { stage in
            let version = Version(1, lastModified: Version.yesterday)
            try await stage.begin(with: version)
            return try await stage.trouble(Offer(version.served(at: Version.lastWeek)), wanted: version)
        },
        Trial(.time, "the server's clock is set back, and the resource is an older one", .identical) { stage in
            try await stage.begin(with: Version(1, lastModified: Version.yesterday))
            let older = Version(2, lastModified: Version.lastWeek).served(at: Version.lastWeek)
            return try await stage.trouble(Offer(older), wanted: older)
        },
        Trial(.time, "already complete, then an older resource of the same length", .identical) { stage in
            let new = Version(1, lastModified: Version.yesterday)
            var errand = stage.errand
            errand.keepsRemoteTime = true
            try await stage.complete(with: new, errand: errand)
            let older = Version(2, lastModified: Version.lastWeek).served(at: Version.yesterday)
            return try await stage.trouble(Offer(older), wanted: older, earlier: new, errand: errand)
        },
        dated("the partial file is dated ten years ahead", years: 10),
        dated("the partial file is dated ten years ago", years: -10),
        timed("the local clock is set back a day between the attempts", "-1d"),
        timed("the local clock is set ahead ten years between the attempts", "+3650d"),
        Trial(.time, "the local clock is set back a day during the transfer", .identical) { stage in
            let version = Version(1, size: 400_000, entityTag: "\"v1\"")
            let slow = Offer(version, pace: Offer.Pace(piece: 8 << 10, pause: 10_000))
            stage.origin.offer(slow)
            let clock = try stage.folder.write("+0", to: "clock")
            var program = stage.program(stage.errand)
            program.environment["LD_PRELOAD"] = stage.tools.fakeTime
            program.environment["FAKETIME_TIMESTAMP_FILE"] = clock
            program.environment["FAKETIME_NO_CACHE"] = "1"
            let running = try program.start()
            try await eventually("a part is on disk") { stage.heldBytes > 150_000 || running.hasEnded }
            // Atomically, as the program may read the file at any time.
            try stage.folder.write("-1d", to: "clock.new")
            rename(stage.folder.file("clock.new"), clock)
            let ending = try await running.ending(within: Stage.limit)
            return [stage.verdict(ending, wanted: [version])]
        },
    ]

    private static func dated(_ name: String, years: Int) -> Trial {
        Trial(.time, name, .identical) { stage in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.yesterday)
            try await stage.begin(with: version)
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let then = timespec(tv_sec: now.tv_sec + years * 31_557_600, tv_nsec: 0)
            for name in [stage.partialName, stage.partialName + ".json"] {
                utimensat(AT_FDCWD, stage.file(name), [then, then], 0)
            }
            return try await stage.trouble(Offer(version), wanted: version)
        }
    }

    private static func timed(_ name: String, _ shift: String) -> Trial {
        Trial(.time, name, .identical) { stage in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.yesterday)
            try await stage.begin(with: version)
            let library = stage.tools.fakeTime
            return try await stage.trouble(Offer(version), wanted: version) { program in
                program.environment["LD_PRELOAD"] = library
                program.environment["FAKETIME"] = shift
            }
        }
    }
}
