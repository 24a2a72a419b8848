import AFCore
import AFTransport
import Testing

/// The calls that bring transfers to the desired state.
struct ChainControlTests {
    private struct Control: TransferControl {
        func cancel() {}
        func suspend() {}
        func resume() {}
        func drain() {}
    }

    /// Returns the value after the start of a transfer.
    private func started(desired: ChainControl.State? = .running) -> ChainControl {
        var chain = ChainControl(desired: desired)
        #expect(chain.startNext(Control())?.method == nil)
        return chain
    }

    // The desired state

    @Test func `the desired state changes until it is canceled`() {
        var chain = ChainControl()
        #expect(chain.desired == nil)
        let changes: [(ChainControl.State, Bool)] = [
            (.suspended, true), (.suspended, false), (.running, true), (.running, false), (.canceled, true),
            (.canceled, false), (.running, false), (.suspended, false),
        ]
        for (state, isChange) in changes { #expect(chain.set(state) == isChange) }
        #expect(chain.desired == .canceled)
    }

    @Test func `a change is called once`() {
        var chain = started()
        #expect(chain.nextCall()?.method == nil)
        #expect(chain.set(.suspended) == true)
        #expect(chain.nextCall()?.method == .suspend)
        #expect(chain.callAfterLast()?.method == nil)
        #expect(chain.set(.running) == true)
        #expect(chain.nextCall()?.method == .resume)
        #expect(chain.callAfterLast()?.method == nil)
        #expect(chain.set(.canceled) == true)
        #expect(chain.nextCall()?.method == .cancel)
        #expect(chain.callAfterLast()?.method == nil)
    }

    @Test func `nothing is called before the first state, and without a transfer`() {
        var chain = started(desired: nil)
        #expect(chain.nextCall()?.method == nil)
        chain = ChainControl(desired: .suspended)
        #expect(chain.nextCall()?.method == nil)
        _ = chain.begin()
        #expect(chain.nextCall()?.method == nil)
    }

    @Test func `a state that changes during a call is called after it`() {
        var chain = started()
        _ = chain.set(.suspended)
        #expect(chain.nextCall()?.method == .suspend)
        _ = chain.set(.running)
        // Another thread leaves it to the one that is calling.
        #expect(chain.nextCall()?.method == nil)
        #expect(chain.callAfterLast()?.method == .resume)
        #expect(chain.callAfterLast()?.method == nil)
    }

    @Test func `states that replace each other during a call are not called`() {
        var chain = started()
        _ = chain.set(.suspended)
        #expect(chain.nextCall()?.method == .suspend)
        _ = chain.set(.running)
        _ = chain.set(.suspended)
        #expect(chain.callAfterLast()?.method == nil)
    }

    // The transfers

    @Test(arguments: [(ChainControl.State.suspended, ChainControl.Call.Method.suspend), (.canceled, .cancel)])
    func `a transfer gets the state that was set while it started`(
        state: ChainControl.State,
        method: ChainControl.Call.Method
    ) {
        var chain = started()
        let number = chain.begin()
        _ = chain.set(state)
        #expect(chain.nextCall()?.method == nil)
        #expect(chain.register(Control(), as: number)?.method == method)
        #expect(chain.callAfterLast()?.method == nil)
    }

    @Test func `each transfer of a suspended chain is suspended`() {
        var chain = started()
        _ = chain.set(.suspended)
        #expect(chain.nextCall()?.method == .suspend)
        #expect(chain.callAfterLast()?.method == nil)
        #expect(chain.startNext(Control())?.method == .suspend)
    }

    @Test func `a call of the transfer before is followed by one of the next`() {
        var chain = started()
        _ = chain.set(.suspended)
        #expect(chain.nextCall()?.method == .suspend)
        #expect(chain.startNext(Control())?.method == nil)
        #expect(chain.callAfterLast()?.method == .suspend)
    }

    @Test func `a control that arrives after the next transfer's start is ignored`() {
        var chain = ChainControl(desired: .suspended)
        let first = chain.begin()
        let second = chain.begin()
        #expect(chain.register(Control(), as: first)?.method == nil)
        #expect(chain.control(of: first) == nil)
        #expect(chain.register(Control(), as: second)?.method == .suspend)
        #expect(chain.control(of: second) != nil)
        #expect(chain.control(of: first) == nil)
    }

    @Test func `a control that arrives after the end is ignored`() {
        var chain = started()
        let number = chain.begin()
        chain.end()
        _ = chain.set(.canceled)
        #expect(chain.register(Control(), as: number)?.method == nil)
        #expect(chain.control(of: number) == nil)
        #expect(chain.nextCall()?.method == nil)
    }

    @Test func `a drain while a transfer starts follows its start, and precedes its state`() {
        var chain = started()
        #expect(chain.drain() != nil)
        let number = chain.begin()
        #expect(chain.drain() == nil)
        _ = chain.set(.suspended)
        #expect(chain.register(Control(), as: number)?.method == .drain)
        #expect(chain.callAfterLast()?.method == .suspend)
        #expect(chain.callAfterLast()?.method == nil)
    }
}

extension ChainControl {
    fileprivate mutating func startNext(_ control: any TransferControl) -> Call? {
        let number = begin()
        return register(control, as: number)
    }
}
