extension Trial {
    static let wrongRanges: [Trial] = [
        wrong("the range starts 1000 bytes later, correctly labeled", .displaced(1_000)),
        wrong("the range starts 1000 bytes earlier, correctly labeled", .displaced(-1_000)),
        wrong("the range starts at the first byte, correctly labeled", .displaced(-Version.size)),
        wrong("another total in Content-Range", .otherTotal(1)),
        wrong("206 with the next 1000 bytes only, which is permitted", .shorterRange(1_000)),
        wrong("the body is 1000 bytes shorter than Content-Range", .shorterBody(1_000)),
        wrong("the body is 1000 bytes longer than Content-Range", .longerBody(1_000)),
        wrong("206 without Content-Range", .withoutContentRange),
        wrong("206 with multipart/byteranges", .multipart),
        wrong("206 with Content-Encoding: gzip", .encoded),
        wrong("206 without the validators", .withoutValidators),
        wrong("200 with the remainder and its Content-Range", .disguised(hasRange: true)),
        wrong("200 with the remainder and the same strong ETag", .disguised(hasRange: false)),
        wrong("200 with the complete resource", .ignored),
        wrong("416 with the right size, although the file is incomplete", .refused(total: Version.size)),
        wrong("416 with a wrong size", .refused(total: 123)),
        wrong("416 with the size of the partial file, as if it were complete", .refused(total: Version.size / 2)),
        wrong("416 without a size", .refused(total: nil)),
        Trial(.ranges, "416 with the size of the complete file, which is of another version", .identical) { stage in
            // curl and wget treat this as success.
            try await stage.complete(with: Version(1))
            let new = Version(2)
            return try await stage.trouble(
                Offer(new, ranges: .refused(total: new.count)), wanted: new, earlier: Version(1))
        },
        Trial(.ranges, "304 to a range request without If-None-Match") { stage in
            let version = Version(1, entityTag: "\"v1\"")
            try await stage.begin(with: version)
            return try await stage.trouble(.bodiless("304 Not Modified"), wanted: version)
        },
        Trial(.ranges, "304 to the first request, which is unconditional", .failureFirst) { stage in
            try await stage.trouble(.bodiless("304 Not Modified"), wanted: Version(1))
        },
        Trial(.ranges, "204 to the first request: the file is empty", .identical) { stage in
            stage.origin.offer(.bodiless("204 No Content"))
            return [try await stage.attempt(wanted: Version(0, size: 0))]
        },
        Trial(.ranges, "204 to a range request: the resource is empty now", .identical) { stage in
            try await stage.begin(with: Version(1, entityTag: "\"v1\""))
            stage.origin.offer(.bodiless("204 No Content"))
            return [try await stage.attempt(wanted: Version(0, size: 0))]
        },
        Trial(.ranges, "the second response breaks off, and the third starts at another offset") { stage in
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
