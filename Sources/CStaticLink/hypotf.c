/*
 * Swift's Glibc module refers to hypotf, whose newest version needs glibc 2.35: the only symbol that would keep the
 * program from systems with glibc 2.34. A float's square fits a double, so that nothing overflows on the way.
 */
#include <math.h>

/* Hidden, so that libraries which are loaded later keep libm's. */
__attribute__((visibility("hidden"))) float hypotf(float x, float y) {
    if (isinf(x) || isinf(y)) return INFINITY;
    return (float)sqrt((double)x * x + (double)y * y);
}
