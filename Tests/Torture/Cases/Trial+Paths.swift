import Glibc
import TestSupport

extension Trial {
    static let occupiedPaths: [Trial] = [
        occupied("a symbolic link at the destination", .failure) { fixture, otherFile in
            try checked(symlink(otherFile.path, fixture.file(Job.file)))
            return [try ForeignFile(fixture.file(Job.file), named: "the link")]
        },
        occupied("a dangling symbolic link at the destination", .failure) { fixture, _ in
            try checked(symlink(fixture.folder.file("elsewhere/nothing"), fixture.file(Job.file)))
            return [try ForeignFile(fixture.file(Job.file), named: "the link")]
        },
        occupied("a symbolic link at the partial file's name", .failure, clients: [.afcli]) { fixture, otherFile in
            try checked(symlink(otherFile.path, fixture.file(fixture.partialName)))
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the link")]
        },
        occupied("a symbolic link at the record's name", .failure, clients: [.afcli]) { fixture, otherFile in
            try checked(symlink(otherFile.path, fixture.file(fixture.partialName + ".json")))
            return [try ForeignFile(fixture.file(fixture.partialName + ".json"), named: "the link")]
        },
        occupied("a hard link to another file at the destination", .identical) { fixture, otherFile in
            try checked(link(otherFile.path, fixture.file(Job.file)))
            return []
        },
        occupied("a hard link to another file at the partial file's name", .failure, clients: [.afcli]) {
            fixture, otherFile in
            try checked(link(otherFile.path, fixture.file(fixture.partialName)))
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the link")]
        },
        occupied("a FIFO without a reader at the destination", .failure) { fixture, _ in
            try checked(mkfifo(fixture.file(Job.file), 0o600))
            return [try ForeignFile(fixture.file(Job.file), named: "the FIFO")]
        },
        occupied("a FIFO at the partial file's name", .failure, clients: [.afcli]) { fixture, _ in
            try checked(mkfifo(fixture.file(fixture.partialName), 0o600))
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the FIFO")]
        },
        occupied("a directory at the destination", .failure) { fixture, _ in
            try checked(mkdir(fixture.file(Job.file), 0o700))
            return [try ForeignFile(fixture.file(Job.file), named: "the directory")]
        },
        occupied("a directory at the partial file's name", .failure, clients: [.afcli]) { fixture, _ in
            try checked(mkdir(fixture.file(fixture.partialName), 0o700))
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the directory")]
        },
        occupied("a file of another program at the partial file's name", .failure, clients: [.afcli]) {
            fixture, _ in
            try fixture.folder.write("a letter", to: "\(Fixture.workingDirectory)/\(fixture.partialName)")
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the letter")]
        },
        occupied("a file of another user at the partial file's name", .failure, clients: [.afcli]) { fixture, _ in
            try fixture.folder.write("", to: "\(Fixture.workingDirectory)/\(fixture.partialName)")
            try changeOwner(fixture.file(fixture.partialName))
            return [try ForeignFile(fixture.file(fixture.partialName), named: "the other user's file")]
        },
        occupied("a record of another user beside a partial file", .failure, clients: [.afcli]) { fixture, _ in
            try fixture.folder.write("{}", to: "\(Fixture.workingDirectory)/\(fixture.partialName).json")
            try changeOwner(fixture.file(fixture.partialName + ".json"))
            return [try ForeignFile(fixture.file(fixture.partialName + ".json"), named: "the other user's file")]
        },
        Trial(.paths, "a symbolic link replaces the partial file between two attempts", .failure) { fixture in
            try await fixture.downloadPart(of: Version(1, entityTag: "\"v1\""))
            let otherFile = try fixture.otherFile()
            try checked(unlink(fixture.file(fixture.partialName)))
            try checked(symlink(otherFile.path, fixture.file(fixture.partialName)))
            let version = Version(1, entityTag: "\"v1\"")
            fixture.origin.respond(with: PlannedResponse(version))
            return [try await fixture.attempt(expected: version, foreign: [otherFile])]
        },
        changed("another program writes a new partial file between two attempts") { fixture, _ in
            try checked(unlink(fixture.file(fixture.partialName)))
            return [UInt8](repeating: 0x4D, count: Version.size / 2)
        },
        changed("another program writes into the partial file between two attempts") { _, bytes in
            bytes.map { ~$0 }
        },
        changed("another program truncates the partial file between two attempts") { _, bytes in
            Array(bytes.prefix(bytes.count / 2))
        },
    ]

    /// Creates a case in which another program changes the partial file between two attempts.
    ///
    /// - Parameter change: Returns the new contents of the partial file.
    private static func changed(
        _ name: String,
        change: @escaping @Sendable (Fixture, _ bytes: [UInt8]) throws -> [UInt8]
    ) -> Trial {
        Trial(.paths, name, .failure, clients: [.afcli]) { fixture in
            let version = Version(1, entityTag: "\"v1\"")
            try await fixture.downloadPart(of: version)
            let name = "\(Fixture.workingDirectory)/\(fixture.partialName)"
            try fixture.folder.write(try change(fixture, fixture.folder.bytes(of: name)), to: name, permissions: 0o600)
            let foreign = try ForeignFile(fixture.file(fixture.partialName), named: "the other program's bytes")
            fixture.origin.respond(with: PlannedResponse(version))
            return [try await fixture.attempt(expected: version, foreign: [foreign])]
        }
    }

    /// Creates a case with a file of another program in the way.
    ///
    /// - Parameter occupy: Receives a file in another directory that must not change; returns further such files.
    private static func occupied(
        _ name: String,
        _ expectation: Expectation,
        clients: [Client] = Client.allCases,
        occupy: @escaping @Sendable (Fixture, _ otherFile: ForeignFile) throws -> [ForeignFile]
    ) -> Trial {
        Trial(.paths, name, expectation, clients: clients) { fixture in
            let otherFile = try fixture.otherFile()
            let foreign = [otherFile] + (try occupy(fixture, otherFile))
            let version = Version(1, entityTag: "\"v1\"")
            fixture.origin.respond(with: PlannedResponse(version))
            var job = fixture.job
            job.timeout = 2
            return [
                try await fixture.attempt(job, expected: version, foreign: foreign, within: .seconds(6))
            ]
        }
    }

    /// Changes the owner, which only root can; otherwise it remains a file of this user and another program.
    private static func changeOwner(_ path: String) throws {
        guard getuid() == 0 else { return }
        try checked(chown(path, 65_534, 65_534))
    }

    private static func checked(_ result: Int32) throws {
        guard result == 0 else {
            throw Tools.Missing(name: String(cString: strerror(errno)), remedy: "a mistake here")
        }
    }
}

extension Fixture {
    /// Creates a file of another program in another directory.
    fileprivate func otherFile() throws -> ForeignFile {
        try ForeignFile(try folder.write("other", to: "elsewhere/other"), named: "the other file")
    }
}
