internal import AFHTTP
internal import AFTransport

/// The parts of a multipart upload: those that the server has, and those that are being sent.
struct MultipartParts: Hashable, Sendable {
    private struct Part: Hashable, Sendable {
        /// The MD5 digest of the file's part, once it is needed.
        var digest: [UInt8]?
        /// The checksum of the file's part that the request asks for; empty if the part cannot be read.
        var checksum: [UInt8]?
        /// The ETag that the server lists, before it is compared.
        var candidate: String?
        /// The ETag of the part that the server has.
        var tag: String?
        /// Whether the list has the part.
        var isListed = false
        /// Whether a request sends the part.
        var isClaimed = false
        /// Whether a lane could not send the part, which is left to the upload's main request.
        var isLeft = false
        /// Whether the part was being sent when the list was asked for, which does not decide about it.
        var isBeyondList = false
    }

    let length: Int64
    var state: MultipartState
    private var all: [Part]
    /// The number of bytes in all parts that the server has. Each chunk that is sent asks for it: there may be 10,000 parts.
    private(set) var acknowledged: Int64 = 0

    init(length: Int64, _ state: MultipartState) {
        (self.length, self.state) = (length, state)
        all = Array(repeating: Part(), count: max(1, Int((length + state.partSize - 1) / state.partSize)))
    }

    var count: Int { all.count }

    /// The number of bytes at the start of the file in parts that the server has.
    var offset: Int64 { bytes(of: all.prefix { $0.tag != nil }.count) }

    /// The first part that the server is not known to have, and that no request sends.
    var firstUnclaimed: Int? {
        all.firstIndex { $0.tag == nil && Safety.requires("35-claim", !$0.isClaimed) }
    }

    /// The first part that a lane may send.
    var firstForLane: Int? {
        all.firstIndex { $0.tag == nil && !$0.isLeft && Safety.requires("35-claim", !$0.isClaimed) }
    }

    /// Whether requests send parts.
    var areClaimed: Bool { all.contains { $0.isClaimed } }

    func isMissing(_ index: Int) -> Bool { all[index].tag == nil }
    func range(of index: Int) -> Range<Int64> { bytes(of: index)..<bytes(of: index + 1) }
    private func bytes(of count: Int) -> Int64 { min(length, Int64(count) * state.partSize) }

    /// Replaces a part.
    private mutating func replace(_ index: Int, with part: Part) {
        setTag(part.tag, of: index)
        all[index] = part
    }

    /// Sets the ETag of a part, with which the server has it.
    private mutating func setTag(_ tag: String?, of index: Int) {
        if (tag == nil) != (all[index].tag == nil) {
            acknowledged += Int64(range(of: index).count) * (tag == nil ? -1 : 1)
        }
        all[index].tag = tag
    }

    mutating func claim(_ index: Int) { all[index].isClaimed = true }
    mutating func release(_ index: Int) { all[index].isClaimed = false }
    mutating func leave(_ index: Int) { all[index].isLeft = true }

    /// Forgets the parts of an upload that is gone, but not the digests of the file.
    mutating func reset() {
        for index in all.indices { replace(index, with: Part(checksum: all[index].checksum)) }
        (state.hasOpaqueTags, state.completion) = (false, nil)
    }

    // Digests

    /// Returns the algorithm of the next digest that is needed to send a part; `nil` if all are known.
    func missingDigest(of index: Int) -> String? {
        if all[index].tag == nil, !state.hasOpaqueTags, all[index].digest == nil { return "MD5" }
        return all[index].checksum == nil ? state.checksum?.algorithm : nil
    }

    /// The first part without the checksum that completes the upload.
    var firstUnchecked: Int? { state.checksum == nil ? nil : all.firstIndex { $0.checksum == nil } }

    /// Records the digest that ``missingDigest(of:)`` names; `nil` if it cannot be computed.
    mutating func record(digest: [UInt8]?, of index: Int) {
        guard missingDigest(of: index) == "MD5" else { return all[index].checksum = digest ?? [] }
        // A system may lack MD5: the signature of each part still covers its bytes.
        guard let digest else { return useOpaqueTags() }
        all[index].digest = digest
        if let candidate = all[index].candidate, accepts(candidate, for: index) { setTag(candidate, of: index) }
        all[index].candidate = nil
    }

    func digest(of index: Int) -> [UInt8]? { all[index].digest }
    func checksum(of index: Int) -> [UInt8]? { all[index].checksum }

    // ETags

    /// Records that the server has a part.
    ///
    /// - Returns: Whether the ETag is that of the file's part.
    mutating func acknowledge(_ index: Int, _ tag: String) -> Bool {
        guard accepts(tag, for: index) else { return false }
        setTag(tag, of: index)
        all[index].candidate = nil
        return true
    }

    /// Whether an ETag shows that the server has the bytes of a part.
    private func accepts(_ tag: String, for index: Int) -> Bool {
        guard !state.hasOpaqueTags, tag.isMD5, let digest = all[index].digest else { return true }
        return Safety.requires("35-part", tag.unquoted.lowercased() == digest.hexadecimal)
    }

    /// Uses ETags as they are, as they are no digests.
    mutating func useOpaqueTags() {
        state.hasOpaqueTags = true
        for index in all.indices where all[index].tag == nil {
            setTag(all[index].candidate.take(), of: index)
        }
    }

    /// The ETags of all parts that the server has, in order.
    var tags: [String] { all.compactMap(\.tag) }

    /// The ETag that the object will have; `nil` if that is not known.
    var objectTag: String? {
        guard !state.hasOpaqueTags else { return nil }
        var digests: [UInt8] = []
        for part in all {
            guard let digest = part.digest, part.tag?.isMD5 == true else { return nil }
            digests += digest
        }
        guard let digest = RunningDigest("MD5") else { return nil }
        digests.withUnsafeBytes { digest.update($0) }
        return "\(digest.finish().hexadecimal)-\(count)"
    }

    /// Whether the ETag of an object does not contradict the parts.
    func isObject(_ tag: String) -> Bool {
        guard let expected = state.completion, !expected.isEmpty, tag.isOfParts else { return true }
        return tag.unquoted.lowercased() == expected
    }

    // The server's list

    /// Prepares for a new list: a part that is being sent may be missing in it, and be there later.
    mutating func beginList() {
        for index in all.indices { all[index].isBeyondList = all[index].isClaimed }
    }

    /// Receives a page of the list.
    mutating func receive(_ page: MultipartDocument.PartList, isFirst: Bool) {
        if isFirst {
            for index in all.indices where !all[index].isBeyondList {
                replace(index, with: Part(digest: all[index].digest, checksum: all[index].checksum))
            }
        }
        for part in page.parts where 1...count ~= part.number && !all[part.number - 1].isBeyondList {
            let index = part.number - 1
            let isUsable = !all[index].isListed && part.size == Int64(range(of: index).count)
            (all[index].candidate, all[index].isListed) = (isUsable ? part.tag : nil, true)
        }
    }

    /// Compares the listed parts whose digest is known, or which have no digest as ETag.
    mutating func endList() {
        for index in all.indices {
            guard let candidate = all[index].candidate else { continue }
            if state.hasOpaqueTags || !candidate.isMD5 || all[index].digest != nil {
                if accepts(candidate, for: index) { setTag(candidate, of: index) }
                all[index].candidate = nil
            }
        }
    }
}

extension String {
    /// Whether the ETag is a multipart object's: a digest, a dash and the number of parts.
    fileprivate var isOfParts: Bool {
        let pieces = unquoted.split(separator: "-", omittingEmptySubsequences: false)
        return pieces.count == 2 && String(pieces[0]).isMD5 && !pieces[1].isEmpty
            && pieces[1].utf8.allSatisfy(\.isASCIIDigit)
    }
}
