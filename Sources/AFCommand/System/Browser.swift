/// The user's browser.
enum Browser {
    /// Opens a URL with `xdg-open` (xdg-utils) if there is a display. Failures are ignored: the URL was shown.
    static func open(_ url: String, variables: Variables) {
        guard ["DISPLAY", "WAYLAND_DISPLAY"].contains(where: { variables[$0]?.isEmpty == false }) else { return }
        // Browsers write to the terminal. One that this starts survives an interruption of this program.
        let none = ChildProcess.Stream.file("/dev/null")
        _ = try? ChildProcess.start(
            ["xdg-open", url], input: none, output: none, errors: none, inOwnGroup: true, name: "xdg-open")
    }
}
