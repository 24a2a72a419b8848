extension Trial {
    static let wrongRanges: [Trial] = [
        wrong("it begins 1000 bytes later, and says so", .displaced(1_000)),
        wrong("it begins 1000 bytes earlier, and says so", .displaced(-1_000)),
        wrong("it begins at the very beginning, and says so", .displaced(-Version.size)),
        wrong("the total in Content-Range is another", .otherTotal(1)),
        wrong("206 with the next 1000 bytes only, as is a server's right", .shorterRange(1_000)),
        wrong("the body is 1000 bytes shorter than Content-Range says", .shorterBody(1_000)),
        wrong("the body is 1000 bytes longer than Content-Range says", .longerBody(1_000)),
        wrong("206 without Content-Range", .withoutContentRange),
        wrong("206 with multipart/byteranges", .multipart),
        wrong("206 with Content-Encoding: gzip", .encoded),
        wrong("206 without the validators", .withoutValidators),
        wrong("200 with the rest, and its Content-Range", .disguised(hasRange: true)),
        wrong("200 with the rest under the same strong ETag", .disguised(hasRange: false)),
        wrong("200 with the whole", .ignored),
        wrong("416 with the right size, though there is a rest", .refused(total: Version.size)),
        wrong("416 with a wrong size", .refused(total: 123)),
        wrong("416 with the size of what is there: it looks complete", .refused(total: Version.size / 2)),
        wrong("416 without a size", .refused(total: nil)),
        Trial(.ranges, "416 with the size of what is there, of a whole file of another version", .identical) { stage in
            // curl and wget treat this as success.
            try await stage.complete(with: Version(1))
            let new = Version(2)
            return try await stage.trouble(
                Offer(new, ranges: .refused(total: new.count)), wanted: new, earlier: Version(1))
        },
        Trial(.ranges, "304 to a request for the rest, which has no If-None-Match") { stage in
            let version = Version(1, entityTag: "\"v1\"")
            try await stage.begin(with: version)
            return try await stage.trouble(.bodiless("304 Not Modified"), wanted: version)
        },
        Trial(.ranges, "304 to the first request, which has no condition", .failureFirst) { stage in
            try await stage.trouble(.bodiless("304 Not Modified"), wanted: Version(1))
        },
        Trial(.ranges, "204 to the first request: the file is empty", .identical) { stage in
            stage.origin.offer(.bodiless("204 No Content"))
            return [try await stage.attempt(wanted: Version(0, size: 0))]
        },
        Trial(.ranges, "204 to a request for the rest: the file is empty by now", .identical) { stage in
            try await stage.begin(with: Version(1, entityTag: "\"v1\""))
            stage.origin.offer(.bodiless("204 No Content"))
            return [try await stage.attempt(wanted: Version(0, size: 0))]
        },
        Trial(.ranges, "the rest breaks off, and then the next rest begins elsewhere") { stage in
            let version = Version(1, entityTag: "\"v1\"")
            try await stage.begin(with: version, bytes: 100_000)
            var cut = Offer(version)
            cut.cut = Offer.Cut(after: 50_000)
            stage.origin.offer(cut)
            let first = try await stage.attempt(wanted: version)
            return [first] + (try await stage.trouble(Offer(version, ranges: .displaced(7)), wanted: version))
        },
    ]

    private static func wrong(_ name: String, _ ranges: Offer.Ranges) -> Trial {
        Trial(.ranges, name) { stage in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.lastWeek)
            try await stage.begin(with: version)
            return try await stage.trouble(Offer(version, ranges: ranges), wanted: version)
        }
    }
}
