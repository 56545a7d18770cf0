// float32 and float64, which the machine compares itself where no NaN can win.
#include "argminmax/simd_steps.hpp"

namespace redux::argminmax {

REDUX_VECTOR_CLONES void run_float32(const Job& job) {
  run_job<Float32Format>(job);
}
REDUX_VECTOR_CLONES void run_float64(const Job& job) {
  run_job<Float64Format>(job);
}

}  // namespace redux::argminmax
