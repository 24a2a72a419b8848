/// A monitor that needs the task-local values of the code that creates a request.
package protocol RequestCreationObserver: Sendable {
    /// Called by the method that creates a request, before it returns.
    func didCreate(_ request: Request)
}
