// Every data kind is a small function of an element's place; see SEMANTICS for what each is for.
#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "data/data.hpp"
#include "data/element.hpp"
#include "data/generator.hpp"

namespace redux {
namespace {

using data::from_whole;
using data::Stream;
using data::Traits;

constexpr std::array<std::string_view, 17> kKinds{"random",
                                                  "ties",
                                                  "constant",
                                                  "ascending",
                                                  "descending",
                                                  "first",
                                                  "last",
                                                  "nan_first",
                                                  "nan_middle",
                                                  "nan_last",
                                                  "nan_all",
                                                  "specials",
                                                  "logits",
                                                  "document_starts",
                                                  "document_starts_256",
                                                  "document_starts_2048",
                                                  "document_starts_8192"};

constexpr std::int64_t kBlock = 16384;  // elements a thread makes at a time

/// Where an element is: `i` in memory, `row` of all lines along the axis, `position` along it.
struct Place {
  std::uint64_t i = 0;
  std::uint64_t row = 0;
  std::int64_t position = 0;
};

/// Calls bits_at(place) for each element from `first` on and stores the bits.
template <class Bits, class F>
void for_each_place(const AxisView& view, std::int64_t first, std::span<std::byte> out, F bits_at) {
  const auto count = static_cast<std::int64_t>(out.size() / sizeof(Bits));
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
#pragma omp parallel for schedule(static)
  for (std::int64_t block = 0; block < blocks; ++block) {
    const std::int64_t begin = first + (block * kBlock);
    const std::int64_t end = std::min(begin + kBlock, first + count);
    std::byte* to = out.data() + (static_cast<std::size_t>(begin - first) * sizeof(Bits));
    // Divided once a block, then counted on.
    std::int64_t inner = begin % view.inner;
    std::int64_t position = (begin / view.inner) % view.length;
    std::int64_t outer = begin / view.inner / view.length;
    for (std::int64_t i = begin; i < end; ++i) {
      const Bits bits =
          bits_at(Place{static_cast<std::uint64_t>(i),
                        static_cast<std::uint64_t>((outer * view.inner) + inner), position});
      std::memcpy(to, &bits, sizeof(Bits));
      to += sizeof(Bits);
      if (++inner < view.inner) continue;
      inner = 0;
      if (++position < view.length) continue;
      position = 0;
      ++outer;
    }
  }
}

/// The kinds in one dtype. Streams are told apart by purpose.
template <class T>
class Generator {
 public:
  using Bits = typename Traits<T>::Bits;

  Generator(const AxisView& view, std::uint64_t seed)
      : length_(view.length), values_(seed, 1), choices_(seed, 2), rows_(seed, 3) {}

  /// Floats: normal, deviation 1. Integers: the full range.
  [[nodiscard]] Bits random(const Place& at) const {
    if constexpr (Traits<T>::kFloating) {
      return Traits<T>::from(static_cast<double>(values_.normal(at.i)) * 0x1p-48);
    } else {
      return static_cast<Bits>(values_.word(at.i) >> (64U - (8 * sizeof(Bits))));
    }
  }

  /// Whole numbers 0 to 10.
  [[nodiscard]] Bits ties(const Place& at) const {
    return from_whole<T>(static_cast<std::int64_t>(choices_.below(at.i, 11)));
  }

  [[nodiscard]] Bits constant(const Place& /*at*/) const { return from_whole<T>(1); }

  /// From the lowest finite value towards the largest, in even steps over the values that the dtype
  /// has; where the axis is longer than that, runs of equal values.
  [[nodiscard]] Bits ascending(const Place& at) const { return climb(at.position); }
  [[nodiscard]] Bits descending(const Place& at) const { return climb(length_ - 1 - at.position); }

  /// The row's largest value at `largest_at` and, where there is room, its smallest at
  /// `smallest_at`, both met only there.
  [[nodiscard]] Bits planted(const Place& at, std::int64_t largest_at,
                             std::int64_t smallest_at) const {
    const bool largest = at.position == largest_at;
    if (!largest && at.position != smallest_at) return moderate(at);
    if constexpr (Traits<T>::kFloating) {
      return from_whole<T>(largest ? 1000 : -1000);
    } else {
      using Limits = std::numeric_limits<T>;
      return static_cast<Bits>(largest ? Limits::max() : Limits::min());
    }
  }
  [[nodiscard]] Bits first(const Place& at) const { return planted(at, 0, 1); }
  [[nodiscard]] Bits last(const Place& at) const { return planted(at, length_ - 1, length_ - 2); }

  /// Random but for one NaN of any sign and payload; integers have none and stay random.
  [[nodiscard]] Bits nan_at(const Place& at, std::int64_t position) const {
    if constexpr (Traits<T>::kFloating) {
      if (at.position == position) return any_nan(at);
    }
    return random(at);
  }
  [[nodiscard]] Bits nan_first(const Place& at) const { return nan_at(at, 0); }
  [[nodiscard]] Bits nan_middle(const Place& at) const { return nan_at(at, length_ / 2); }
  [[nodiscard]] Bits nan_last(const Place& at) const { return nan_at(at, length_ - 1); }
  [[nodiscard]] Bits nan_all(const Place& at) const { return nan_at(at, at.position); }

  /// The values at which comparisons go wrong.
  [[nodiscard]] Bits specials(const Place& at) const {
    using B = Traits<T>;
    if constexpr (B::kFloating) {
      const std::array<Bits, 12> alphabet{
          B::kInfinity,
          static_cast<Bits>(B::kSign | B::kInfinity),
          any_nan(at),
          Bits{0},
          B::kSign,
          B::kLargest,
          static_cast<Bits>(B::kSign | B::kLargest),
          Bits{1},  // the least denormal
          static_cast<Bits>(B::kSign | 1U),
          static_cast<Bits>(B::kLeastNormal - 1),  // the largest denormal
          static_cast<Bits>(B::kSign | (B::kLeastNormal - 1)),
          from_whole<T>(1)};
      return alphabet[choices_.below(at.i, alphabet.size())];
    } else {
      using Limits = std::numeric_limits<T>;
      constexpr std::array<T, 7> kAlphabet{Limits::min(), Limits::min() + 1, T{-1},        T{0},
                                           T{1},          Limits::max() - 1, Limits::max()};
      return static_cast<Bits>(kAlphabet[choices_.below(at.i, kAlphabet.size())]);
    }
  }

  /// Noise of deviation 1 (integers: 1024) and one peak a row, at 32 (32768).
  [[nodiscard]] Bits logits(const Place& at) const {
    const auto peak = rows_.below(at.row, static_cast<std::uint64_t>(length_));
    const bool is_peak = static_cast<std::uint64_t>(at.position) == peak;
    if constexpr (Traits<T>::kFloating) {
      return is_peak ? from_whole<T>(32) : random(at);
    } else {
      return from_whole<T>(is_peak ? 32768 : values_.normal(at.i) >> 38U);
    }
  }

  /// The position where a document starts, else 0. Each row has a mean length of 256 to 8192;
  /// 16-bit floats round the positions.
  [[nodiscard]] Bits document_starts(const Place& at) const {
    return document_start(at, std::uint64_t{256} << rows_.below(at.row, 6));
  }
  /// The same with one mean length for all rows.
  template <std::uint64_t kMean>
  [[nodiscard]] Bits document_starts_of(const Place& at) const {
    return document_start(at, kMean);
  }

 private:
  [[nodiscard]] Bits document_start(const Place& at, std::uint64_t mean) const {
    return from_whole<T>(choices_.below(at.i, mean) == 0 ? at.position : 0);
  }

  /// As random, but never near the ends of the dtype's range.
  [[nodiscard]] Bits moderate(const Place& at) const {
    if constexpr (Traits<T>::kFloating) {
      return random(at);
    } else {
      return static_cast<Bits>(static_cast<T>(random(at)) / 2);
    }
  }

  [[nodiscard]] Bits any_nan(const Place& at) const requires(Traits<T>::kFloating) {
    using B = Traits<T>;
    const std::uint64_t word = choices_.word(~at.i);
    const auto payload = static_cast<Bits>(word & B::kPayload);
    const auto sign = static_cast<Bits>((word >> 63U) != 0 ? B::kSign : 0);
    return static_cast<Bits>(sign | B::kInfinity | (payload == 0 ? Bits{1} : payload));
  }

  [[nodiscard]] Bits climb(std::int64_t position) const {
    constexpr std::uint64_t kLast = data::last_rank<T>();
    const auto steps = static_cast<std::uint64_t>(length_ - 1);
    const auto step = static_cast<std::uint64_t>(position);
    if (steps <= kLast) return Traits<T>::ranked(step * (steps == 0 ? 1 : kLast / steps));
    return Traits<T>::ranked(step / ((steps / kLast) + 1));
  }

  std::int64_t length_;
  Stream values_;
  Stream choices_;
  Stream rows_;
};

[[noreturn]] void refuse_kind(std::string_view kind) {
  std::string message = "unknown data kind '";
  message += kind;
  message += "'; allowed are";
  for (const std::string_view allowed : kKinds) {
    message += ' ';
    message += allowed;
  }
  throw std::invalid_argument(message);
}

template <class T>
void fill_as(std::string_view kind, const AxisView& view, std::uint64_t seed, std::int64_t first,
             std::span<std::byte> out) {
  using G = Generator<T>;
  using Bits = typename G::Bits;
  const G generator(view, seed);
  // In the order of kKinds. The member is a template argument so that each loop has it inlined.
  const auto with = [&]<auto kMember>() {
    for_each_place<Bits>(view, first, out,
                         [generator](const Place& at) { return (generator.*kMember)(at); });
  };
  const auto at = std::ranges::find(kKinds, kind) - kKinds.begin();
  switch (at) {
    case 0:
      return with.template operator()<&G::random>();
    case 1:
      return with.template operator()<&G::ties>();
    case 2:
      return with.template operator()<&G::constant>();
    case 3:
      return with.template operator()<&G::ascending>();
    case 4:
      return with.template operator()<&G::descending>();
    case 5:
      return with.template operator()<&G::first>();
    case 6:
      return with.template operator()<&G::last>();
    case 7:
      return with.template operator()<&G::nan_first>();
    case 8:
      return with.template operator()<&G::nan_middle>();
    case 9:
      return with.template operator()<&G::nan_last>();
    case 10:
      return with.template operator()<&G::nan_all>();
    case 11:
      return with.template operator()<&G::specials>();
    case 12:
      return with.template operator()<&G::logits>();
    case 13:
      return with.template operator()<&G::document_starts>();
    case 14:
      return with.template operator()<&G::template document_starts_of<256>>();
    case 15:
      return with.template operator()<&G::template document_starts_of<2048>>();
    case 16:
      return with.template operator()<&G::template document_starts_of<8192>>();
    default:
      refuse_kind(kind);
  }
}

}  // namespace

std::span<const std::string_view> tensor_data_kinds() {
  return kKinds;
}

void fill(std::string_view kind, DType dtype, const AxisView& view, std::uint64_t seed,
          std::span<std::byte> out) {
  fill_from(kind, dtype, view, seed, 0, out);
}

void fill_from(std::string_view kind, DType dtype, const AxisView& view, std::uint64_t seed,
               std::int64_t first, std::span<std::byte> out) {
  switch (dtype) {
    case DType::float16:
      return fill_as<Float16>(kind, view, seed, first, out);
    case DType::bfloat16:
      return fill_as<BFloat16>(kind, view, seed, first, out);
    case DType::float32:
      return fill_as<float>(kind, view, seed, first, out);
    case DType::float64:
      return fill_as<double>(kind, view, seed, first, out);
    case DType::int32:
      return fill_as<std::int32_t>(kind, view, seed, first, out);
    case DType::int64:
      return fill_as<std::int64_t>(kind, view, seed, first, out);
  }
}

}  // namespace redux
