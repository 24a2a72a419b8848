extension Option {
    static let offline = Option(
        "--offline",
        in: .dryRun,
        summary: "Build the request and show it, but send nothing",
        effect: .flag(\.isOffline, sets: true)
    )
}
