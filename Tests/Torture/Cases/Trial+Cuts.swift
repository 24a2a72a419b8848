extension Trial {
    static let cuts: [Trial] =
        [1_000, 65_536, 100_003].map { step in
            Trial(.cuts, "every \(step) bytes, the same command until it succeeds") { fixture in
                // The size limits the number of attempts to 25 of new bytes alone; a third of each may be compared ones.
                let version = Version(1, size: min(400_000, step * 25 - 7), entityTag: "\"v1\"")
                fixture.origin.respond(with: .cut(version, after: step))
                var verdicts: [Verdict] = []
                while verdicts.count < 45 {
                    let verdict = try await fixture.attempt(expected: version)
                    verdicts.append(verdict)
                    if verdict == .identical { break }
                }
                return verdicts
            }
        }
        + [1_000, 100_003].map { step in
            Trial(.cuts, "every \(step) bytes, retries within one run", .identical) { fixture in
                let version = Version(1, size: step * 4 - 7, entityTag: "\"v1\"")
                fixture.origin.respond(with: .cut(version, after: step))
                var job = fixture.job
                job.retries = 8
                return [try await fixture.attempt(job, expected: version)]
            }
        }
        + [
            Trial(.cuts, "every 2000 bytes with a TCP reset, retries within one run", .identical) { fixture in
                let version = Version(1, size: 7_993, entityTag: "\"v1\"")
                fixture.origin.respond(with: .cut(version, after: 2_000, by: .reset))
                var job = fixture.job
                job.retries = 8
                return [try await fixture.attempt(job, expected: version)]
            },
            Trial(.cuts, "every 100000 bytes, without support for ranges: retries cannot help", .failureFirst) {
                fixture in
                let version = Version(1, entityTag: "\"v1\"")
                var job = fixture.job
                job.retries = 2
                let cut = PlannedResponse.Cut(after: 100_000)
                return try await fixture.attemptTwice(
                    PlannedResponse(version, ranges: .ignored, cut: cut), expected: version, job: job)
            },
            Trial(.cuts, "after 100000 bytes, and the retries receive another version", .identical) { fixture in
                let old = Version(1, entityTag: "\"v1\"")
                let new = Version(2, entityTag: "\"v2\"")
                fixture.origin.respond(with: .cut(old, after: 100_000), .cut(new, after: 100_000), PlannedResponse(new))
                var job = fixture.job
                job.retries = 4
                return [try await fixture.attempt(job, expected: new)]
            },
        ]
}
