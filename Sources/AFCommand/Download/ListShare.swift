/// One of several shares of a list, such as the second of four: `2/4`.
///
/// The URLs are dealt in turn, so that each is in exactly one share, the same in every run with the same list.
struct ListShare: Equatable, Sendable, ArgumentValue {
    /// The number of the share, starting with 1.
    let number: Int
    let count: Int

    private static let maximumCount = 1_000_000

    init(argument: String) throws(UsageError) {
        let hint = "write K/N, such as 2/4 for the second of four shares"
        guard let halves = argument.halves(around: "/"), halves.before.isDecimal, halves.after.isDecimal else {
            throw UsageError("expected K/N, got '\(argument.shortened)'", hint: hint)
        }
        guard let count = Int(halves.after), (1...Self.maximumCount).contains(count) else {
            let count = String(halves.after).shortened
            throw UsageError(
                "the number of shares is from 1 to \(known: Self.maximumCount), got '\(count)'", hint: hint)
        }
        guard let number = Int(halves.before), (1...count).contains(number) else {
            let share = String(halves.before).shortened
            throw UsageError(
                "there is no share '\(share)': the shares are numbered from 1 to \(known: count)",
                hint: share == "0" ? "add 1 to an index that starts with 0" : hint)
        }
        (self.number, self.count) = (number, count)
    }

    /// The share as typed.
    var text: String { "\(number)/\(count)" }

    /// Returns the elements of the share.
    func elements<Element>(of list: [Element]) -> [Element] {
        stride(from: number - 1, to: list.count, by: count).map { list[$0] }
    }
}
