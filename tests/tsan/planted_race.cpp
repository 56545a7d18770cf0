// A race on purpose, and the same sum without one: whether the thread sanitizer, the OpenMP runtime
// and the tool between them work together is shown by it finding the one and not the other.
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr long kCount = 100'000;

long raced(const std::vector<long>& values) {
  long sum = 0;
#pragma omp parallel for num_threads(4)
  for (long i = 0; i < kCount; ++i) sum += values[static_cast<std::size_t>(i)];
  return sum;
}

long reduced(const std::vector<long>& values) {
  long sum = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
  for (long i = 0; i < kCount; ++i) sum += values[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<long> values(kCount);
  // Made by other threads than those that read them: what orders the two is the runtime's barrier.
#pragma omp parallel for num_threads(4) schedule(dynamic, 64)
  for (long i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = i;
  const bool race = argc == 2 && std::strcmp(argv[1], "race") == 0;
  std::printf("%ld\n", race ? raced(values) : reduced(values));
}
