#if GUARDS
    internal import Glibc
#endif

/// The guards of Documentation/safety.md that can be switched off by name.
///
/// `make guards` builds with the condition `GUARDS` and names a guard in `AFCLI_GUARD_OFF`. In every other build a guard is
/// its condition, and the name is not in the program. The other targets have links to this file: only public functions are
/// inlined into another module, and this is no API.
enum Safety {
    #if GUARDS
        private static let disabled = getenv("AFCLI_GUARD_OFF").map { String(cString: $0) } ?? ""

        static func requires(
            _ guardName: StaticString,
            _ condition: @autoclosure () throws -> Bool
        ) rethrows -> Bool {
            try "\(guardName)" == disabled || condition()
        }

        static func refuses(
            _ guardName: StaticString,
            _ condition: @autoclosure () throws -> Bool
        ) rethrows -> Bool {
            try "\(guardName)" != disabled && condition()
        }
    #else
        /// Returns a condition that a guard requires; `true` if the guard is switched off.
        @inline(__always)
        static func requires(
            _ guardName: StaticString,
            _ condition: @autoclosure () throws -> Bool
        ) rethrows -> Bool {
            try condition()
        }

        /// Returns a condition that a guard refuses; `false` if the guard is switched off.
        @inline(__always)
        static func refuses(
            _ guardName: StaticString,
            _ condition: @autoclosure () throws -> Bool
        ) rethrows -> Bool {
            try condition()
        }
    #endif
}
