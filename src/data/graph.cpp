// Every kind of graph gives a node's degree as a function of its number; columns are counter-based,
// so that all of it is made in parallel.
#include "data/graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/status.hpp"
#include "data/csr.hpp"
#include "data/generator.hpp"

namespace redux {
namespace {

using data::Csr;
using data::Stream;

constexpr std::array<std::string_view, 5> kKinds{"cyclic", "uniform", "power_law", "hub",
                                                 "with_empty"};
constexpr int kHubShare = 100;
constexpr int kEmptyShare = 30;
/// A power law's degrees have to be made to be counted, also where a config is only listed.
constexpr std::int64_t kMostPowerLawNodes = std::int64_t{1} << 28U;
/// Nodes about a node among which its neighbours are, where they are local.
constexpr std::int64_t kWindow = 1024;

/// a * b / c without overflow on the way.
std::int64_t multiply_divide(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<std::int64_t>(static_cast<__int128_t>(a) * b / c);
}

/// Item i's part of `total`, cut into `parts` as evenly as can be.
std::int64_t even_part(std::int64_t total, std::int64_t parts, std::int64_t i) {
  return multiply_divide(total, i + 1, parts) - multiply_divide(total, i, parts);
}

/// Degree of a power law, min(n, floor(u^-0.7 * d / 3)) with u uniform in [1e-4, 1]. pow() may
/// differ in its last bit from machine to machine, so its answer is only where the search starts:
/// degree >= k is the same as (3k)^10 u^7 <= d^10, in products that are rounded alike everywhere.
std::int64_t power_law_degree(const Stream& draws, std::int64_t node, std::int64_t nodes,
                              std::int64_t degree) {
  constexpr std::uint64_t kOne = std::uint64_t{1} << 60U;
  constexpr std::uint64_t kLeast = 115292150460685;  // 1e-4 of it
  const std::uint64_t drawn = kLeast + draws.below(static_cast<std::uint64_t>(node), kOne - kLeast);
  const double u = static_cast<double>(drawn) * 0x1p-60;
  const auto tenth_power = [](double x) {
    const double square = x * x;
    const double fourth = square * square;
    return fourth * fourth * square;
  };
  const double u7 = u * u * u * u * u * u * u;
  const double limit = tenth_power(static_cast<double>(degree));
  const auto reaches = [&](std::int64_t k) {
    return tenth_power(3.0 * static_cast<double>(k)) * u7 <= limit;
  };
  const double guess = std::floor(std::pow(u, -0.7) * static_cast<double>(degree) / 3.0);
  auto k = static_cast<std::int64_t>(std::min(guess, static_cast<double>(nodes)));
  while (k > 0 && !reaches(k)) --k;
  while (k < nodes && reaches(k + 1)) ++k;
  return k;
}

/// A permutation of the nodes that scatters them: a step that is coprime to their number and near
/// the golden ratio of it, from a start that the seed gives.
struct Scatter {
  std::int64_t nodes = 0;
  std::int64_t step = 1;
  std::int64_t start = 0;

  [[nodiscard]] std::int64_t operator()(std::int64_t node) const {
    return static_cast<std::int64_t>(((static_cast<__int128_t>(node) * step) + start) % nodes);
  }
};

Scatter scatter_of(std::int64_t nodes, const Stream& draws) {
  if (nodes == 0) return {};
  std::int64_t step = std::max<std::int64_t>(multiply_divide(nodes, 618034, 1000000), 1);
  while (std::gcd(step, nodes) != 1) ++step;
  return {nodes, step,
          static_cast<std::int64_t>(draws.below(0, static_cast<std::uint64_t>(nodes)))};
}

class Generated {
 public:
  Generated(const GraphSource& source, std::uint64_t seed)
      : source_(&source),
        kind_(std::ranges::find(kKinds, source.kind) - kKinds.begin()),
        nodes_(source.nodes),
        degree_(source.degree),
        degrees_(seed, 11),
        columns_(seed, 12),
        scatter_(scatter_of(source.nodes, degrees_)) {}

  [[nodiscard]] std::int64_t degree(std::int64_t node) const {
    switch (kind_) {
      case 0:
        return std::max<std::int64_t>(1, degree_ + (node % 7) - 3);
      case 1:
        return source_->edges ? even_part(*source_->edges, nodes_, node) : degree_;
      case 2:
        return power_law_degree(degrees_, node, nodes_, degree_);
      case 3:
        if (nodes_ == 1 || node == 0) return of_hub();
        return even_part(given_edges() - of_hub(), nodes_ - 1, node - 1);
      default:
        return scatter_(node) < empty_nodes() ? 0 : degree_;
    }
  }

  [[nodiscard]] std::int64_t edges() const {
    if (nodes_ == 0) return 0;
    switch (kind_) {
      case 0: {
        std::int64_t sum = 0;
        for (std::int64_t i = 0; i < 7; ++i) {
          sum += degree(i) * ((nodes_ / 7) + (i < nodes_ % 7 ? 1 : 0));
        }
        return sum;
      }
      case 1:
      case 3:
        return given_edges();
      case 2: {
        std::int64_t sum = 0;
#pragma omp parallel for schedule(static) reduction(+ : sum)
        for (std::int64_t v = 0; v < nodes_; ++v) sum += degree(v);
        return sum;
      }
      default:
        return (nodes_ - empty_nodes()) * degree_;
    }
  }

  template <class Index>
  [[nodiscard]] GraphArrays make() const {
    GraphArrays arrays;
    arrays.row_ptr.resize((static_cast<std::size_t>(nodes_) + 1) * sizeof(Index));
    auto* row_ptr = reinterpret_cast<Index*>(arrays.row_ptr.data());
#pragma omp parallel for schedule(static)
    for (std::int64_t v = 0; v < nodes_; ++v) row_ptr[v + 1] = static_cast<Index>(degree(v));
    for (std::int64_t v = 0; v < nodes_; ++v) row_ptr[v + 1] += row_ptr[v];
    const auto edges = static_cast<std::int64_t>(row_ptr[nodes_]);
    arrays.col_idx.resize(static_cast<std::size_t>(edges) * sizeof(Index));
    auto* col_idx = reinterpret_cast<Index*>(arrays.col_idx.data());
    const auto place = [this](std::int64_t e, std::int64_t among) {
      return static_cast<std::int64_t>(
          columns_.below(static_cast<std::uint64_t>(e), static_cast<std::uint64_t>(among)));
    };
    if (!source_->local) {
#pragma omp parallel for schedule(static)
      for (std::int64_t e = 0; e < edges; ++e) col_idx[e] = static_cast<Index>(place(e, nodes_));
      return arrays;
    }
    const std::int64_t among = std::min(kWindow, nodes_);
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::int64_t v = 0; v < nodes_; ++v) {
      const std::int64_t first = std::clamp<std::int64_t>(v - (among / 2), 0, nodes_ - among);
      for (auto e = static_cast<std::int64_t>(row_ptr[v]); e < row_ptr[v + 1]; ++e) {
        col_idx[e] = static_cast<Index>(first + place(e, among));
      }
    }
    return arrays;
  }

 private:
  [[nodiscard]] std::int64_t given_edges() const {
    return source_->edges.value_or(nodes_ * degree_);
  }
  [[nodiscard]] std::int64_t of_hub() const {
    if (nodes_ == 1) return given_edges();
    return multiply_divide(given_edges(), source_->share.value_or(kHubShare), 100);
  }
  [[nodiscard]] std::int64_t empty_nodes() const {
    return multiply_divide(nodes_, source_->share.value_or(kEmptyShare), 100);
  }

  const GraphSource* source_;
  std::ptrdiff_t kind_;
  std::int64_t nodes_;
  std::int64_t degree_;
  Stream degrees_;
  Stream columns_;
  Scatter scatter_;
};

Csr read_files(const GraphSource& source) {
  return source.col_idx_file.empty() ? data::read_matrix_market(source.file)
                                     : data::read_npy_pair(source.file, source.col_idx_file);
}

template <class Index>
std::vector<std::byte> narrowed(const std::vector<std::int64_t>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(Index));
  auto* out = reinterpret_cast<Index*>(bytes.data());
  std::ranges::transform(values, out, [](std::int64_t value) { return static_cast<Index>(value); });
  return bytes;
}

}  // namespace

std::span<const std::string_view> graph_kinds() {
  return kKinds;
}

bool takes_share(std::string_view kind) {
  return kind == "hub" || kind == "with_empty";
}

bool takes_edges(std::string_view kind) {
  return kind == "hub" || kind == "uniform";
}

std::string graph_fault(const GraphSource& source) {
  std::int64_t most = 0;
  const std::int64_t edges = source.edges.value_or(source.degree);
  if (source.nodes == 0 && edges > 0 && source.edges) return "edges, but no node to have them";
  if (source.kind == "power_law" && source.nodes > kMostPowerLawNodes) {
    return "a power law of " + std::to_string(source.nodes) + " nodes; at most " +
           std::to_string(kMostPowerLawNodes) + " are made";
  }
  // A cyclic graph's degrees reach 3 above the mean.
  if (!source.edges && (__builtin_add_overflow(source.degree, 3, &most) ||
                        __builtin_mul_overflow(most, source.nodes, &most))) {
    return "nodes times degree exceeds " + std::to_string(std::numeric_limits<std::int64_t>::max());
  }
  return {};
}

GraphExtents graph_extents(const GraphSource& source, std::uint64_t seed) {
  if (source.file.empty()) return {source.nodes, Generated(source, seed).edges()};
  const Csr graph = read_files(source);
  return {static_cast<std::int64_t>(graph.row_ptr.size()) - 1,
          static_cast<std::int64_t>(graph.col_idx.size())};
}

GraphArrays make_graph(const GraphSource& source, std::uint64_t seed, DType index) {
  const bool wide = index == DType::int64;
  if (source.file.empty()) {
    const Generated graph(source, seed);
    return wide ? graph.make<std::int64_t>() : graph.make<std::int32_t>();
  }
  const Csr graph = read_files(source);
  if (wide) return {narrowed<std::int64_t>(graph.row_ptr), narrowed<std::int64_t>(graph.col_idx)};
  return {narrowed<std::int32_t>(graph.row_ptr), narrowed<std::int32_t>(graph.col_idx)};
}

}  // namespace redux
