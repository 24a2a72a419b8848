extension Trial {
    static let replaced: [Trial] = [
        replaced(
            "same length, another strong ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, entityTag: "\"v2\"")),
        replaced(
            "longer, another strong ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, size: 400_000, entityTag: "\"v2\"")),
        replaced(
            "shorter, another strong ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, size: 200_000, entityTag: "\"v2\"")),
        replaced(
            "exactly as long as the partial file, another strong ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, size: 150_000, entityTag: "\"v2\"")),
        replaced(
            "same length and date, another strong ETag",
            from: Version(1, entityTag: "\"v1\"", lastModified: Version.lastWeek),
            to: Version(2, entityTag: "\"v2\"", lastModified: Version.lastWeek)),
        replaced(
            "same length, another Last-Modified, no ETag",
            from: Version(1, lastModified: Version.lastWeek), to: Version(2, lastModified: Version.yesterday)),
        replaced(
            "same length, the same weak ETag",
            from: Version(1, entityTag: "W/\"v\""), to: Version(2, entityTag: "W/\"v\"")),
        replaced(
            "same length, no validator",
            from: Version(1), to: Version(2)),
        replaced(
            "same length and Last-Modified, which equals Date (weak, RFC 9110 §8.8.2.2)",
            from: Version(1, lastModified: Version.now), to: Version(2, lastModified: Version.now)),
        replaced(
            "another strong ETag, from a server that ignores If-Range",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, entityTag: "\"v2\""), .unconditional,
            .identicalInTheEnd),
        replaced(
            "another Last-Modified, from a server that ignores If-Range",
            from: Version(1, lastModified: Version.lastWeek), to: Version(2, lastModified: Version.yesterday),
            .unconditional, .identicalInTheEnd),
        replaced(
            "longer, with the same ETag: a contradiction",
            from: Version(1, entityTag: "\"v\""), to: Version(2, size: 400_000, entityTag: "\"v\""),
            .honest, .identicalInTheEnd),
        replaced(
            "same length and strong ETag, but other bytes",
            from: Version(1, entityTag: "\"v\""), to: Version(2, entityTag: "\"v\""), .honest, .unknowable),
        Trial(.replaced, "the same, with `--checksum`", .identical, clients: [.afcli]) { fixture in
            let new = Version(2, entityTag: "\"v\"")
            var job = fixture.job
            job.more = ["--checksum", "sha-256:\(try await new.digest())"]
            try await fixture.downloadPart(of: Version(1, entityTag: "\"v\""), job: job)
            return try await fixture.attemptTwice(PlannedResponse(new), expected: new, job: job)
        },
        Trial(.replaced, "the same, with a digest in the response (`Repr-Digest`)") { fixture in
            var new = Version(2, entityTag: "\"v\"")
            new = new.adding("Repr-Digest", "sha-256=:\(try await new.digest(inBase64: true)):")
            try await fixture.downloadPart(of: Version(1, entityTag: "\"v\""))
            return try await fixture.attemptTwice(PlannedResponse(new), expected: new)
        },
        Trial(
            .replaced, "another remainder with the same strong ETag; the first response had a digest", .identical
        ) {
            fixture in
            let old = Version(1, entityTag: "\"v\"")
            let digest = "sha-256=:\(try await old.digest(inBase64: true)):"
            try await fixture.downloadPart(of: old.adding("Repr-Digest", digest))
            let new = Version(2, entityTag: "\"v\"")
            return try await fixture.attemptTwice(PlannedResponse(new), expected: new)
        },
        replaced(
            "same length and strong ETag, another Last-Modified, from a server that ignores If-Range",
            from: Version(1, entityTag: "\"v\"", lastModified: Version.lastWeek),
            to: Version(2, entityTag: "\"v\"", lastModified: Version.yesterday), .unconditional),
        replaced(
            "same length, the validators are gone, from a server that ignores If-Range",
            from: Version(1, entityTag: "\"v\"", lastModified: Version.lastWeek), to: Version(2), .unconditional),
        Trial(.replaced, "the URL redirects to another server's file of the same length and strong ETag", .identical) {
            fixture in
            let new = Version(2, entityTag: "\"v\"")
            let other = try Origin()
            defer { other.stop() }
            other.respond(with: PlannedResponse(new))
            try await fixture.downloadPart(of: Version(1, entityTag: "\"v\""))
            fixture.origin.respond(with: .redirect(to: "http://127.0.0.1:\(other.port)/\(Job.file)"))
            var job = fixture.job
            job.followsRedirects = true
            return [try await fixture.attempt(job, expected: new)]
        },
        Trial(.replaced, "already complete and unchanged: no body is fetched", .identical) { fixture in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.lastWeek)
            try await fixture.downloadAll(of: version)
            let sent = fixture.origin.sent
            let verdict = try await fixture.attempt(expected: version)
            return fixture.origin.sent == sent || fixture.client != .afcli
                ? [verdict] : [.damagedOtherFile("fetched again")]
        },
        whole(
            "already complete, then another version: same length, other ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, entityTag: "\"v2\"")),
        whole(
            "already complete, then another version: longer, other ETag",
            from: Version(1, entityTag: "\"v1\""), to: Version(2, size: 400_000, entityTag: "\"v2\"")),
        whole(
            "already complete, then another version: same length, no validator",
            from: Version(1), to: Version(2)),
        whole(
            "already complete, then another version: shorter, no validator",
            from: Version(1), to: Version(2, size: 200_000)),
    ]

    private static func replaced(
        _ name: String,
        from old: Version,
        to new: Version,
        _ ranges: PlannedResponse.Ranges = .honest,
        _ expectation: Expectation = .identical
    ) -> Trial {
        Trial(.replaced, name, expectation) { fixture in
            try await fixture.downloadPart(of: old)
            return try await fixture.attemptTwice(PlannedResponse(new, ranges: ranges), expected: new)
        }
    }

    private static func whole(_ name: String, from old: Version, to new: Version) -> Trial {
        Trial(.replaced, name, .identical) { fixture in
            try await fixture.downloadAll(of: old)
            return try await fixture.attemptTwice(PlannedResponse(new), expected: new, earlier: old)
        }
    }
}
