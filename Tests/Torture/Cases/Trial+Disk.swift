import Glibc
import TestSupport

extension Trial {
    /// The size of a file that fills a small disk until it is removed.
    private static let room = 256 << 10

    static let fullDisks: [Trial] = [
        Trial(.disk, "full during the body; then there is space", .failureFirst) { fixture in
            let version = Version(1, size: 1 << 20, entityTag: "\"v1\"")
            let disk = try SmallDisk(free: room)
            return try await disk.run(fixture) { fixture, limit in
                try await fixture.attemptTwice(PlannedResponse(version), expected: version, limit: limit, on: disk)
            }
        },
        Trial(.disk, "full during the resumed body; then there is space", .failureFirst) { fixture in
            let version = Version(1, size: 1 << 20, entityTag: "\"v1\"")
            let disk = try SmallDisk(free: room)
            return try await disk.run(fixture) { fixture, limit in
                try await fixture.downloadPart(of: version, bytes: 100_000)
                return try await fixture.attemptTwice(
                    PlannedResponse(version), expected: version, limit: limit, on: disk)
            }
        },
        Trial(.disk, "full from the start; then there is space", .failureFirst) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            let disk = try SmallDisk(free: 16 << 10)
            return try await disk.run(fixture) { fixture, limit in
                disk.fill()
                return try await fixture.attemptTwice(
                    PlannedResponse(version), expected: version, limit: limit.map { _ in 0 }, on: disk)
            }
        },
    ]
}

extension Fixture {
    /// Runs the client with a full disk, and again after space was freed.
    fileprivate func attemptTwice(
        _ response: PlannedResponse,
        expected: Version,
        limit: Int?,
        on disk: SmallDisk
    ) async throws -> [Verdict] {
        origin.respond(with: response)
        let first = try await attempt(expected: expected) { $0.fileSizeLimit = limit }
        disk.makeRoom()
        return [first, try await attempt(expected: expected)]
    }
}

/// A disk of 4 MiB that is mostly occupied by another file.
final class SmallDisk: Sendable {
    private let disk: FullDisk
    private let free: Int
    private static let size = 4 << 20

    /// Whether such a disk can be mounted; otherwise a limit on the size of files simulates it.
    static var isReal: Bool {
        guard let disk = try? FullDisk(capacity: size) else { return false }
        return disk.fileSizeLimit == nil
    }

    /// Creates a disk.
    ///
    /// - Parameter free: The free bytes.
    init(free: Int) throws {
        disk = try FullDisk(capacity: Self.size)
        self.free = free
        if disk.fileSizeLimit == nil { try write(Self.size - free) }
    }

    /// Runs a case on the disk.
    ///
    /// - Parameter body: Receives an environment, and the limit if the disk could not be mounted.
    func run(
        _ fixture: Fixture,
        _ body: (Fixture, _ limit: Int?) async throws -> [Verdict]
    ) async throws -> [Verdict] {
        let own = try Fixture(fixture.client, fixture.tools, seed: fixture.seed, on: disk.path)
        defer { own.stop() }
        return try await body(own, disk.fileSizeLimit.map { _ in free })
    }

    func fill() {
        guard disk.fileSizeLimit == nil else { return }
        let file = open(disk.file("rest"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let page = [UInt8](repeating: 0x2E, count: 4096)
        while Glibc.write(file, page, page.count) > 0 {}
    }

    func makeRoom() {
        unlink(disk.file("filler"))
        unlink(disk.file("rest"))
    }

    private func write(_ count: Int) throws {
        let file = open(disk.file("filler"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        let bytes = [UInt8](repeating: 0x2E, count: count)
        guard Glibc.write(file, bytes, count) == count else {
            throw Tools.Missing(name: "room for \(count) bytes", remedy: "a mistake here")
        }
    }
}
