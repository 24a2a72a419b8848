/// What one exchange of several has to do with the others.
struct BatchPart: Sendable {
    /// Its place among them.
    let index: Int
    /// What messages call it: its URL, without secrets.
    let subject: String
    let progress: BatchProgress
    /// The names that are taken.
    let names: NameClaims
    /// Called once, when it is over.
    let end: @Sendable (ExitStatus) -> Void
}
