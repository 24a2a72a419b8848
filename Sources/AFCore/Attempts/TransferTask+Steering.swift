internal import AFTransport

extension TransferTask.State {
    /// Sends the requested state to a transfer, and repeats until the last sent state is the current one: calls of
    /// several threads may overtake each other.
    ///
    /// - Parameters:
    ///   - told: The state that was sent before.
    ///   - latest: Returns the current state and the control of the running transfer.
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
