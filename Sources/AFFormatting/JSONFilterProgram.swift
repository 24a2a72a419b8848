internal import AFJSON
internal import Glibc

/// The paths of a filter as a nondeterministic automaton: each step is a state, one bit of a word.
struct JSONFilterProgram: Sendable {
    /// The states inside a value, and whether the value is selected.
    struct Transition: Equatable, Sendable {
        var states: UInt64 = 0
        var isSelected = false
    }

    private struct Instruction: Sendable {
        /// The range of the name in ``names``, or of the indices.
        var range = 0..<0
        /// Whether the step is the last one of its path.
        var isLast: Bool
    }

    /// The transition of a document.
    let start: Transition
    /// The length of the longest name, in bytes.
    let longestName: Int

    private let instructions: [Instruction]
    /// The names of all steps, one after the other.
    private let names: [UInt8]
    // The states by the kind of their step.
    private let named: UInt64
    private let indexed: UInt64
    private let unconditional: UInt64
    private let recursive: UInt64

    /// Compiles paths.
    ///
    /// - Precondition: The paths have at most ``JSONFilter/maximumStepCount`` steps in total.
    init(_ paths: [[JSONFilter.Step]]) {
        var start = Transition()
        var instructions: [Instruction] = []
        var names: [UInt8] = []
        var (named, indexed, unconditional, recursive) = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
        for path in paths {
            if path.isEmpty { start.isSelected = true } else { start.states |= 1 << UInt64(instructions.count) }
            for (index, step) in path.enumerated() {
                let state: UInt64 = 1 << UInt64(instructions.count)
                var instruction = Instruction(isLast: index == path.count - 1)
                switch step {
                case .member(let name), .descendants(let name):
                    instruction.range = names.count..<names.count + name.count
                    names += name
                    named |= state
                    if case .descendants = step { recursive |= state }
                case .elements(let range):
                    instruction.range = range
                    indexed |= state
                // A condition is evaluated at the end of the value.
                case .all, .matching: unconditional |= state
                // The number of elements is unknown before their end.
                case .fromEnd: break
                }
                instructions.append(instruction)
            }
        }
        self.start = start
        self.instructions = instructions
        self.names = names
        (self.named, self.indexed, self.unconditional, self.recursive) = (named, indexed, unconditional, recursive)
        longestName = paths.joined().map(\.nameLength).max() ?? 0
    }

    /// Whether the names of members matter in these states.
    func needsNames(in states: UInt64) -> Bool { states & named != 0 }

    /// Returns the transition of a member with a name that matters in no state.
    func unnamedMember(in states: UInt64) -> Transition {
        var transition = Transition(states: states & recursive)
        advance(states & unconditional, &transition)
        return transition
    }

    func member(_ name: UnsafeRawBufferPointer, in states: UInt64) -> Transition {
        var transition = unnamedMember(in: states)
        var rest = states & named
        while rest != 0 {
            let state = rest.trailingZeroBitCount
            rest &= rest - 1
            let range = instructions[state].range
            guard range.count == name.count else { continue }
            let isEqual = names.withUnsafeBytes { names in
                guard let name = name.baseAddress, let base = names.baseAddress else { return true }
                return memcmp(base + range.lowerBound, name, range.count) == 0
            }
            if isEqual { advance(1 << UInt64(state), &transition) }
        }
        return transition
    }

    func element(_ index: Int, in states: UInt64) -> Transition {
        var transition = unnamedMember(in: states)
        var rest = states & indexed
        while rest != 0 {
            let state = rest.trailingZeroBitCount
            rest &= rest - 1
            if instructions[state].range.contains(index) { advance(1 << UInt64(state), &transition) }
        }
        return transition
    }

    @inline(__always)
    private func advance(_ states: UInt64, _ transition: inout Transition) {
        var rest = states
        while rest != 0 {
            let state = rest.trailingZeroBitCount
            rest &= rest - 1
            if instructions[state].isLast {
                transition.isSelected = true
            } else {
                transition.states |= 2 << UInt64(state)
            }
        }
    }
}

extension JSONFilter.Step {
    fileprivate var nameLength: Int {
        switch self {
        case .member(let name), .descendants(let name): name.count
        case .elements, .fromEnd, .all, .matching: 0
        }
    }
}
