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
        Trial(.ranges, "416 with the size of the complete file, which is of another version", .identical) { fixture in
            // curl and wget treat this as success.
            try await fixture.downloadAll(of: Version(1))
            let new = Version(2)
            return try await fixture.attemptTwice(
                PlannedResponse(new, ranges: .refused(total: new.count)), expected: new, earlier: Version(1))
        },
        Trial(.ranges, "304 to a range request without If-None-Match") { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            try await fixture.downloadPart(of: version)
            return try await fixture.attemptTwice(.bodiless("304 Not Modified"), expected: version)
        },
        Trial(.ranges, "304 to the first request, which is unconditional", .failureFirst) { fixture in
            try await fixture.attemptTwice(.bodiless("304 Not Modified"), expected: Version(1))
        },
        Trial(.ranges, "204 to the first request: the file is empty", .identical) { fixture in
            fixture.origin.respond(with: .bodiless("204 No Content"))
            return [try await fixture.attempt(expected: Version(0, size: 0))]
        },
        Trial(.ranges, "204 to a range request: the resource is empty now", .identical) { fixture in
            try await fixture.downloadPart(of: Version(1, entityTag: "\"v1\""))
            fixture.origin.respond(with: .bodiless("204 No Content"))
            return [try await fixture.attempt(expected: Version(0, size: 0))]
        },
        Trial(.ranges, "the second response breaks off, and the third starts at another offset") { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            try await fixture.downloadPart(of: version, bytes: 100_000)
            var cut = PlannedResponse(version)
            cut.cut = PlannedResponse.Cut(after: 50_000)
            fixture.origin.respond(with: cut)
            let first = try await fixture.attempt(expected: version)
            return [first]
                + (try await fixture.attemptTwice(PlannedResponse(version, ranges: .displaced(7)), expected: version))
        },
    ]

    private static func wrong(_ name: String, _ ranges: PlannedResponse.Ranges) -> Trial {
        Trial(.ranges, name) { fixture in
            let version = Version(1, entityTag: "\"v1\"", lastModified: Version.lastWeek)
            try await fixture.downloadPart(of: version)
            return try await fixture.attemptTwice(PlannedResponse(version, ranges: ranges), expected: version)
        }
    }
}
