internal import AFCommand
internal import Glibc

exit(Command(.system()).run(Environment.arguments).code)
