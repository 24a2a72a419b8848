internal import AFTransport

extension TransferTask.State {
    /// Tells a transfer what state it is to be in, and again until the last it was told is what holds: the orders of
    /// several threads overtake each other.
    ///
    /// - Parameters:
    ///   - told: What it was told before.
    ///   - latest: The state that holds by now, and the means to steer whatever runs.
    static func steer(from told: Self, to latest: () -> (Self, (any TransferControl)?)) {
        var told = told
        while true {
            let (state, control) = latest()
            guard let control, state != told else { return }
            switch state {
            case .suspended: control.suspend()
            case .running: control.resume()
            case .canceling: control.cancel()
            case .completed: return
            }
            told = state
        }
    }
}
