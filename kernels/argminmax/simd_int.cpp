// int32 and int64, which know no NaN.
#include "argminmax/simd_steps.hpp"

namespace redux::argminmax {

REDUX_VECTOR_CLONES void run_int32(const Job& job) {
  run_job<Int32Format>(job);
}
REDUX_VECTOR_CLONES void run_int64(const Job& job) {
  run_job<Int64Format>(job);
}

}  // namespace redux::argminmax
