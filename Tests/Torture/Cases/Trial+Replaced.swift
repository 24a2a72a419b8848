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
        Trial(.replaced, "the same, with `--checksum`", .identical, clients: [.afcli]) { stage in
            let new = Version(2, entityTag: "\"v\"")
            var errand = stage.errand
            errand.more = ["--checksum", "sha-256:\(try await new.digest())"]
            try await stage.begin(with: Version(1, entityTag: "\"v\""), errand: errand)
            return try await stage.trouble(Offer(new), wanted: new, errand: errand)
        },
        Trial(.replaced, "the same, with a digest in the response (`Repr-Digest`)") { stage in
            var new = Version(2, entityTag: "\"v\"")
            new = new.saying("Repr-Digest", "sha-256=:\(try await new.digest(inBase64: true)):")
            try await stage.begin(with: Version(1, entityTag: "\"v\""))
            return try await stage.trouble(Offer(new), wanted: new)
        },
        Trial(
            .replaced, "another remainder with the same strong ETag; the first response had a digest", .identical
        ) {
            stage in
            let old = Version(1, entityTag: "\"v\"")
            let digest = "sha-256=:\(try await old.digest(inBase64: true)):"
            try await stage.begin(with: old.saying("Repr-Digest", digest))
            let new = Version(2, entityTag: "\"v\"")
            return try await stage.trouble(Offer(new), wanted: new)
        },
        replaced(
            "same length and strong ETag, another Last-Modified, from a server that ignores If-Range",
            from: Version(1, entityTag: "\"v\"", lastModified: Version.lastWeek),
            to: Version(2, entityTag: "\"v\"", lastModified: Version.yesterday), .unconditional),
        replaced(
            "same length, the validators are gone, from a server that ignores If-Range",
            from: Version(1, entityTag: "\"v\"", lastModified: Version.lastWeek), to: Version(2), .unconditional),
        Trial(.replaced, "the URL redirects to another server's file of the same length and strong ETag", .identical) {
            stage in
            let new = Version(2, entityTag: "\"v\"")
            let other = try Origin()
            defer { other.stop() }
            other.offer(Offer(new))
            try await stage.begin(with: Version(1, entityTag: "\"v\""))
            stage.origin.offer(.redirect(to: "http://127.0.0.1:\(other.port)/\(Errand.file)"))
            var errand = stage.errand
            errand.followsRedirects = true
            return [try await stage.attempt(errand, wanted: new)]
        },
        Trial(.replaced, "already complete and unchanged: no body is fetched", .identical) { stage in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.lastWeek)
            try await stage.complete(with: version)
            let sent = stage.origin.sent
            let verdict = try await stage.attempt(wanted: version)
            return stage.origin.sent == sent || stage.client != .afcli ? [verdict] : [.trespass("fetched again")]
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
        _ ranges: Offer.Ranges = .honest,
        _ expectation: Expectation = .identical
    ) -> Trial {
        Trial(.replaced, name, expectation) { stage in
            try await stage.begin(with: old)
            return try await stage.trouble(Offer(new, ranges: ranges), wanted: new)
        }
    }

    private static func whole(_ name: String, from old: Version, to new: Version) -> Trial {
        Trial(.replaced, name, .identical) { stage in
            try await stage.complete(with: old)
            return try await stage.trouble(Offer(new), wanted: new, earlier: old)
        }
    }
}
