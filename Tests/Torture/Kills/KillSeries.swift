/// A number of kills of each kind; missed ones are repeated.
struct KillSeries: Sendable {
    let client: Client
    let tools: Tools
    let seed: UInt64
    let isShort: Bool
    let lanes: Int

    /// The results of one kind.
    struct Tally: Sendable {
        let kind: KillKind
        let required: Int
        var hits: [Kill] = []
        var misses: [Kill] = []
        /// The verdicts of the last attempts, which were not killed.
        var verdicts: [Verdict: Int] = [:]
        /// The problems.
        var faults: [String] = []

        /// Whether enough kills hit the intended phase, without faults.
        var isRight: Bool { hits.count >= required && faults.isEmpty }

        mutating func add(_ outcome: KillChain.Outcome, of client: Client, seed: UInt64) {
            hits += outcome.kills.filter(\.isHit)
            misses += outcome.kills.filter { !$0.isHit }
            if let last = outcome.verdicts.last { verdicts[last, default: 0] += 1 }
            let isRight = outcome.verdicts.allSatisfy(client.mayExitWith) && outcome.verdicts.last == .identical
            if !isRight { faults.append("\(outcome.verdicts.map(\.text)), seed \(seed)") }
        }
    }

    /// The kinds that apply to the client: only afcli has records and segments.
    var kinds: [KillKind] { client == .afcli ? KillKind.allCases : [.body] }

    private func requiredCount(_ kind: KillKind) -> Int {
        client == .afcli ? kind.count(isShort: isShort) : 40
    }

    func run() async -> [Tally] {
        var tallies: [Tally] = []
        // The kinds run concurrently only if each one has few kills.
        for (_, result) in await concurrently(kinds, lanes: isShort ? kinds.count : 1, run) {
            if case .success(let tally) = result { tallies.append(tally) }
        }
        return tallies
    }

    @Sendable private func run(_ kind: KillKind) async -> Tally {
        var tally = Tally(kind: kind, required: requiredCount(kind))
        var index = 0
        // Missed kills are repeated, up to a limit.
        for _ in 0..<6 where tally.hits.count < tally.required && !tally.verdicts.keys.contains(.unavailable) {
            var missing = tally.required - tally.hits.count
            var chains: [KillChain] = []
            while missing > 0 {
                let length = min(kind.chain, missing)
                let mixed = seed &+ UInt64(index + 1) &* 0xD6E8_FEB8_6659_FD93 ^ UInt64(kind.chain) << 40
                chains.append(
                    KillChain(
                        kind: kind, client: client, tools: tools, seed: mixed, length: length, index: index))
                index += 1
                missing -= length
            }
            // One chain is enough to detect that the option is unavailable.
            if kind == .segments, tally.hits.isEmpty { chains = [chains[0]] }
            for (chain, result) in await concurrently(chains, lanes: lanes, { try await $0.run() }) {
                switch result {
                case .success(let outcome): tally.add(outcome, of: client, seed: chain.seed)
                case .failure(let error): tally.faults.append("\(error), seed \(chain.seed)")
                }
            }
        }
        return tally
    }
}
