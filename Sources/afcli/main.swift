internal import AFCommand
internal import Glibc

// All output is written and closed. Exit handlers of libraries take time and have no effect here.
_exit(Program(.system()).run(Environment.arguments).code)
