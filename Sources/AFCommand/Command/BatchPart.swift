/// What one exchange of several has to do with the others.
struct BatchPart: Sendable {
    let progress: BatchProgress.Part
    /// The names that are taken.
    let names: NameClaims
    /// Called once, when it is over.
    let end: @Sendable (ExitStatus) -> Void
}
