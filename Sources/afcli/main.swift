internal import AFCommand
internal import Glibc

let status = await Command(.system()).run(Environment.arguments)
exit(status.code)
