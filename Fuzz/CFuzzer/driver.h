#include <stddef.h>
#include <stdint.h>

// libFuzzer's loop, for programs that have a main of their own. It returns only for options such as -help=1.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));
