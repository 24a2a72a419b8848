internal import AFCommand
internal import Glibc

// Everything is written and closed by now. What libraries do at the end of a process takes time, and nobody is helped.
_exit(Command(.system()).run(Environment.arguments).code)
