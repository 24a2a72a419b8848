import AFCore
import Glibc
import Workload

// The core's own entry: one session, as many connections as requests in flight.
let workload = Workload()
print("core-bench: the core has no session yet")
exit(69)
