import CFuzzer
import Glibc

/// The function that libFuzzer's main, which is always linked, calls with every input.
@c(LLVMFuzzerTestOneInput)
public func test(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    // A thrown error is a valid result.
    try? FuzzTarget.chosen.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}

extension FuzzTarget {
    /// One program contains all targets, so that the tested code is compiled once; without a name it lists them.
    ///
    /// A variable selects the target, not an argument: libFuzzer passes arguments to its own processes.
    fileprivate static let chosen: FuzzTarget = {
        let name = getenv("FUZZ_TARGET").map { String(cString: $0) }
        if let target = all.first(where: { $0.name == name }) { return target }
        for target in all { print(target.name, target.longest) }
        exit(name == nil ? 0 : 2)
    }()
}

_ = FuzzTarget.chosen
var count = CommandLine.argc
var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&count, &arguments, test))
