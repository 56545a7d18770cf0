// float16 and bfloat16, which are compared by 16-bit integer keys.
#include "argminmax/simd_steps.hpp"

namespace redux::argminmax {

REDUX_VECTOR_CLONES void run_float16(const Job& job) {
  run_job<Float16Format>(job);
}
REDUX_VECTOR_CLONES void run_bfloat16(const Job& job) {
  run_job<BFloat16Format>(job);
}

}  // namespace redux::argminmax
