import Glibc
import TestSupport

extension Trial {
    static let occupiedPlaces: [Trial] = [
        planted("a symbolic link at the destination", .failure) { stage, victim in
            try checked(symlink(victim.path, stage.file(Errand.file)))
            return [try Foreign(stage.file(Errand.file), named: "the link")]
        },
        planted("a dangling symbolic link at the destination", .failure) { stage, _ in
            try checked(symlink(stage.folder.file("elsewhere/nothing"), stage.file(Errand.file)))
            return [try Foreign(stage.file(Errand.file), named: "the link")]
        },
        planted("a symbolic link at the partial file's name", .failure, clients: [.afcli]) { stage, victim in
            try checked(symlink(victim.path, stage.file(stage.partialName)))
            return [try Foreign(stage.file(stage.partialName), named: "the link")]
        },
        planted("a symbolic link at the record's name", .failure, clients: [.afcli]) { stage, victim in
            try checked(symlink(victim.path, stage.file(stage.partialName + ".json")))
            return [try Foreign(stage.file(stage.partialName + ".json"), named: "the link")]
        },
        planted("a hard link to another file at the destination", .identical) { stage, victim in
            try checked(link(victim.path, stage.file(Errand.file)))
            return []
        },
        planted("a hard link to another file at the partial file's name", .failure, clients: [.afcli]) {
            stage, victim in
            try checked(link(victim.path, stage.file(stage.partialName)))
            return [try Foreign(stage.file(stage.partialName), named: "the link")]
        },
        planted("a FIFO without a reader at the destination", .failure) { stage, _ in
            try checked(mkfifo(stage.file(Errand.file), 0o600))
            return [try Foreign(stage.file(Errand.file), named: "the FIFO")]
        },
        planted("a FIFO at the partial file's name", .failure, clients: [.afcli]) { stage, _ in
            try checked(mkfifo(stage.file(stage.partialName), 0o600))
            return [try Foreign(stage.file(stage.partialName), named: "the FIFO")]
        },
        planted("a directory at the destination", .failure) { stage, _ in
            try checked(mkdir(stage.file(Errand.file), 0o700))
            return [try Foreign(stage.file(Errand.file), named: "the directory")]
        },
        planted("a directory at the partial file's name", .failure, clients: [.afcli]) { stage, _ in
            try checked(mkdir(stage.file(stage.partialName), 0o700))
            return [try Foreign(stage.file(stage.partialName), named: "the directory")]
        },
        planted("a file of another program at the partial file's name", .failure, clients: [.afcli]) {
            stage, _ in
            try stage.folder.write("a letter", to: "\(Stage.workplace)/\(stage.partialName)")
            return [try Foreign(stage.file(stage.partialName), named: "the letter")]
        },
        planted("a file of another user at the partial file's name", .failure, clients: [.afcli]) { stage, _ in
            try stage.folder.write("", to: "\(Stage.workplace)/\(stage.partialName)")
            try giveAway(stage.file(stage.partialName))
            return [try Foreign(stage.file(stage.partialName), named: "the other user's file")]
        },
        planted("a record of another user beside a partial file", .failure, clients: [.afcli]) { stage, _ in
            try stage.folder.write("{}", to: "\(Stage.workplace)/\(stage.partialName).json")
            try giveAway(stage.file(stage.partialName + ".json"))
            return [try Foreign(stage.file(stage.partialName + ".json"), named: "the other user's file")]
        },
        Trial(.places, "a symbolic link replaces the partial file between two attempts", .failure) { stage in
            try await stage.begin(with: Version(1, entityTag: "\"v1\""))
            let victim = try stage.victim()
            try checked(unlink(stage.file(stage.partialName)))
            try checked(symlink(victim.path, stage.file(stage.partialName)))
            let version = Version(1, entityTag: "\"v1\"")
            stage.origin.offer(Offer(version))
            return [try await stage.attempt(wanted: version, foreign: [victim])]
        },
        changed("another program writes a new partial file between two attempts") { stage, _ in
            try checked(unlink(stage.file(stage.partialName)))
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
        change: @escaping @Sendable (Stage, _ bytes: [UInt8]) throws -> [UInt8]
    ) -> Trial {
        Trial(.places, name, .failure, clients: [.afcli]) { stage in
            let version = Version(1, entityTag: "\"v1\"")
            try await stage.begin(with: version)
            let name = "\(Stage.workplace)/\(stage.partialName)"
            try stage.folder.write(try change(stage, stage.folder.bytes(of: name)), to: name, permissions: 0o600)
            let foreign = try Foreign(stage.file(stage.partialName), named: "the other program's bytes")
            stage.origin.offer(Offer(version))
            return [try await stage.attempt(wanted: version, foreign: [foreign])]
        }
    }

    /// Creates a case with a file of another program in the way.
    ///
    /// - Parameter plant: Receives a file in another directory that must not change; returns further such files.
    private static func planted(
        _ name: String,
        _ expectation: Expectation,
        clients: [Client] = Client.allCases,
        plant: @escaping @Sendable (Stage, _ victim: Foreign) throws -> [Foreign]
    ) -> Trial {
        Trial(.places, name, expectation, clients: clients) { stage in
            let victim = try stage.victim()
            let foreign = [victim] + (try plant(stage, victim))
            let version = Version(1, entityTag: "\"v1\"")
            stage.origin.offer(Offer(version))
            var errand = stage.errand
            errand.timeout = 2
            return [
                try await stage.attempt(errand, wanted: version, foreign: foreign, within: .seconds(6))
            ]
        }
    }

    /// Changes the owner, which only root can; otherwise it remains a file of this user and another program.
    private static func giveAway(_ path: String) throws {
        guard getuid() == 0 else { return }
        try checked(chown(path, 65_534, 65_534))
    }

    private static func checked(_ result: Int32) throws {
        guard result == 0 else {
            throw Tools.Missing(name: String(cString: strerror(errno)), remedy: "a mistake here")
        }
    }
}

extension Stage {
    /// Creates a file of another program in another directory.
    fileprivate func victim() throws -> Foreign {
        try Foreign(try folder.write("other", to: "elsewhere/victim"), named: "the other file")
    }
}
