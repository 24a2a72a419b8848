import TestSupport

extension Trial {
    static let truncations: [Trial] = [
        cut("Content-Length is not reached, the connection is closed normally", .length, after: 100_001),
        cut("Content-Length is missed by one byte", .length, after: Version.size - 1),
        cut("Content-Length is not reached, TCP reset", .length, after: 100_001, by: .reset),
        cut("no byte of the body is sent", .length, after: 0),
        cut("chunked, broken off within a chunk", .chunked, after: 100_001),
        cut("chunked, broken off between two chunks", .chunked, after: 2 * 65_536),
        cut("chunked, only the last, empty chunk is missing", .chunked, after: Version.size),
        cut("chunked, TCP reset instead of the last, empty chunk", .chunked, after: Version.size, by: .reset),
        cut("neither length nor chunks, TCP reset", .untilClose, after: 100_001, by: .reset),
        Trial(.truncation, "neither length nor chunks, closed normally: undetectable", .unknowable) {
            fixture in
            let version = Version(1)
            fixture.origin.respond(
                with: PlannedResponse(version, framing: .untilClose, cut: PlannedResponse.Cut(after: 100_001)))
            return [try await fixture.attempt(expected: version)]
        },
        Trial(.truncation, "the server stops sending, timeout of one second", .failureFirst) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            var job = fixture.job
            job.timeout = 1
            return try await fixture.attemptTwice(
                .cut(version, after: 100_001, by: .stall), expected: version, job: job)
        },
        secure("TLS, Content-Length is not reached, no close_notify", .length, after: 100_001),
        secure("TLS, chunked, broken off between two chunks, no close_notify", .chunked, after: 2 * 65_536),
        secure("TLS, neither length nor chunks, no close_notify", .untilClose, after: 100_001),
        Trial(
            .truncation, "HTTP/2, the stream is reset (nginx before a server that breaks off)", .failureFirst,
            clients: [.afcli, .curl]
        ) { fixture in
            let directives = """
                location / { proxy_pass http://127.0.0.1:\(fixture.origin.port); proxy_http_version 1.1;
                             proxy_buffering off; proxy_pass_request_headers on; }
                """
            return try await withNginx(directives: directives) { nginx in
                let version = Version(1, entityTag: "\"v1\"")
                var job = Job(nginx.clearHTTP2URL("/\(Job.file)"))
                job.usesHTTP2 = true
                return try await fixture.attemptTwice(.cut(version, after: 100_001), expected: version, job: job)
            }
        },
    ]

    private static func cut(
        _ name: String,
        _ framing: PlannedResponse.Framing,
        after count: Int,
        by manner: PlannedResponse.Cut.Manner = .close
    ) -> Trial {
        Trial(.truncation, name, .failureFirst) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            let response = PlannedResponse(
                version, framing: framing, cut: PlannedResponse.Cut(after: count, by: manner))
            return try await fixture.attemptTwice(response, expected: version)
        }
    }

    private static func secure(_ name: String, _ framing: PlannedResponse.Framing, after count: Int) -> Trial {
        Trial(.truncation, name, .failureFirst) { fixture in
            let certificates = try await TestCertificates.shared
            // It closes its connections without close_notify when the server behind it closes.
            let front = try TLSFront(to: fixture.origin.port, identity: certificates.server)
            let version = Version(1, entityTag: "\"v1\"")
            var job = Job("https://localhost:\(front.port)/\(Job.file)")
            job.authority = certificates.root
            let response = PlannedResponse(version, framing: framing, cut: PlannedResponse.Cut(after: count))
            return try await fixture.attemptTwice(response, expected: version, job: job)
        }
    }
}
