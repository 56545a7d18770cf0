// The operator that scans cummax and cummin is associative and idempotent, over all triples of
// values at which orders and identities change.
#include "simt/cumminmax_pairs.hpp"

#include "backend/simt/launch.hpp"
#include "backend/simt/memory.hpp"
#include "contract/alphabet.hpp"
#include "contract/combinations.hpp"
#include "contract/contract.hpp"
#include "contract/encode.hpp"

namespace redux::contract {
namespace {

template <class T>
Bytes whole_letters() {
  using Limits = std::numeric_limits<T>;
  return encode_exactly<T>({Limits::min(), static_cast<T>(Limits::min() + 1), -1, 0, 1,
                            static_cast<T>(Limits::max() - 1), Limits::max()});
}

Bytes letters_of(DType dtype) {
  if (dtype == DType::int32) return whole_letters<std::int32_t>();
  if (dtype == DType::int64) return whole_letters<std::int64_t>();
  return encode(dtype, {kAlphabet.begin(), kAlphabet.end()});
}

class SimtCumMinMaxPairs : public testing::TestWithParam<Combination> {};

TEST_P(SimtCumMinMaxPairs, ScanIsOfAnAssociativeIdempotentOperator) {
  simt::set({});
  const Case c = make_case(GetParam().op, GetParam().dtype, {1});
  Bytes letters = letters_of(c.dtype);
  const auto count = static_cast<int>(letters.size() / size_of(c.dtype));
  const auto elements = static_cast<std::size_t>(simt_pairs::elements_of(count));
  std::vector<std::uint32_t> broken(elements * elements * elements, ~0U);
  const simt::Buffer input(letters.data(), letters.size(), simt::Role::input, "the letters", true);
  const simt::Buffer output(broken.data(), broken.size() * sizeof(broken[0]), simt::Role::written,
                            "the laws", false);
  simt_pairs::break_laws(c, letters.data(), count, broken.data());
  for (std::size_t i = 0; i < broken.size(); ++i) {
    EXPECT_EQ(broken[i], 0U) << "elements " << i / elements / elements << ", "
                             << i / elements % elements << ", " << i % elements;
  }
}

INSTANTIATE_TEST_SUITE_P(All, SimtCumMinMaxPairs,
                         testing::ValuesIn(combinations({"cummax", "cummin"})), name_of_test);

}  // namespace
}  // namespace redux::contract
