#include "cumminmax/launch_lines.cuh"
#include "simt/cumminmax_pairs.hpp"

namespace redux::cumminmax {
namespace {

using simt_pairs::kIndices;

template <class O>
using Element = Pair<O, std::int64_t>;

template <class O>
__device__ bool same(const Element<O>& a, const Element<O>& b) {
  return word_of(a.value) == word_of(b.value) && a.index == b.index;
}
template <class O>
__device__ Element<O> merged(Element<O> a, const Element<O>& b) {
  a.merge(b);
  return a;
}
template <class O>
__device__ Element<O> followed(Element<O> a, const Element<O>& b) {
  a.follow(b);
  return a;
}

/// Two elements at one position are one element.
template <class O>
__device__ bool can_meet(const Element<O>& a, const Element<O>& b) {
  return a.index != b.index || same(a, b);
}

template <class O>
__device__ std::uint32_t broken_of(const Element<O>& a, const Element<O>& b, const Element<O>& c) {
  if (!can_meet(a, b) || !can_meet(b, c) || !can_meet(a, c)) return 0;
  std::uint32_t broken = 0;
  const auto expect = [&](bool holds, std::uint32_t law) { broken |= holds ? 0 : law; };
  const auto none = Element<O>::none();
  expect(same(merged(a, a), a), simt_pairs::kMergeIdempotent);
  expect(same(merged(a, b), merged(b, a)), simt_pairs::kMergeCommutative);
  expect(same(merged(merged(a, b), c), merged(a, merged(b, c))), simt_pairs::kMergeAssociative);
  expect(same(merged(a, none), a) && same(merged(none, a), a), simt_pairs::kMergeIdentity);
  if (b.index > a.index) expect(same(followed(a, b), merged(a, b)), simt_pairs::kFollowIsMerge);
  if (b.index > a.index && c.index > b.index) {
    expect(same(followed(followed(a, b), c), followed(a, followed(b, c))),
           simt_pairs::kFollowAssociative);
  }
  if (a.index >= 0) {
    auto kept = a;
    kept.follow_any(none);
    expect(same(followed(none, a), a) && same(kept, a), simt_pairs::kFollowIdentity);
  }
  return broken;
}

/// A thread for each pair of elements, which goes through all thirds.
template <class O>
__global__ void laws(const typename O::Storage* letters, int count, std::uint32_t* broken) {
  const int elements = simt_pairs::elements_of(count);
  const auto element = [&](int i) {
    if (i == count * kIndices) return Element<O>::none();
    return Element<O>{letters[i / kIndices], i % kIndices};
  };
  const auto a = static_cast<int>(blockIdx.x);
  const auto b = static_cast<int>(threadIdx.x);
  for (int c = 0; c < elements; ++c) {
    broken[(((a * elements) + b) * elements) + c] = broken_of(element(a), element(b), element(c));
  }
}

}  // namespace
}  // namespace redux::cumminmax

namespace simt_pairs {

void break_laws(const redux::Case& c, const void* letters, int count, std::uint32_t* broken) {
  using namespace redux;
  const auto elements = static_cast<unsigned>(elements_of(count));
  cumminmax::with_order(c, [&]<class O>(cumminmax::Tag<O>) {
    launch(cumminmax::laws<O>, {.grid = {elements}, .block = {elements}}, nullptr,
           static_cast<const typename O::Storage*>(letters), count, broken);
  });
}

}  // namespace simt_pairs
