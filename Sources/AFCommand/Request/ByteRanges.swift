/// The value of `--range`, in the notation of RFC 9110 §14.1.2: `0-99,200-,-500`.
enum ByteRanges {
    static func checked(_ argument: String) throws(UsageError) -> String {
        let ranges = argument.split(separator: ",", omittingEmptySubsequences: false)
        guard ranges.allSatisfy(ByteRanges.isRange) else {
            throw UsageError("expected ranges such as 0-99, 100- or -500, got '\(argument)'")
        }
        return argument
    }

    private static func isRange(_ word: Substring) -> Bool {
        let ends = word.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, ends.contains(where: { !$0.isEmpty }) else { return false }
        guard ends.allSatisfy({ $0.isEmpty || ($0.isDecimal && Int64($0) != nil) }) else { return false }
        guard let first = Int64(ends[0]), let last = Int64(ends[1]) else { return true }
        return first <= last
    }
}
