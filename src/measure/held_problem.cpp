#include "measure/held_problem.hpp"

#include "data/data.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

std::size_t total_bytes(const std::vector<TensorSpec>& specs) {
  std::size_t total = 0;
  for (const TensorSpec& spec : specs) total += spec.bytes();
  return total;
}

/// What the allowed differences of bounded outputs take.
std::size_t bound_bytes(const std::vector<TensorSpec>& specs) {
  std::size_t total = 0;
  for (const TensorSpec& spec : specs) {
    if (spec.match == Match::bounded) total += static_cast<std::size_t>(spec.count()) * 8;
  }
  return total;
}

std::vector<View> views_of(const std::vector<TensorSpec>& specs, std::vector<HostTensor>& data) {
  std::vector<View> views;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    views.push_back({data[i].data(), specs[i].dtype, specs[i].count()});
  }
  return views;
}

std::string problem_key(const Case& c) {
  return c.problem_id() + " seed=" + std::to_string(c.seed) + " " + c.data_file + " " +
         c.graph.file + " " + c.graph.col_idx_file;
}

/// What inputs, reference and one copy that is read back take as a whole.
std::size_t whole_bytes(const Case& c) {
  const auto outputs = c.op->outputs(c);
  return total_bytes(c.op->inputs(c)) + (2 * total_bytes(outputs)) + bound_bytes(outputs);
}

}  // namespace

std::unique_ptr<PartedReference> HeldProblem::parts_of(const Case& c) const {
  return whole_bytes(c) <= held_bytes_ ? nullptr : PartedReference::of(c, part_bytes_);
}

void HeldProblem::release_unless(const Case& c) {
  if (problem_ == problem_key(c)) return;
  problem_.clear();
  inputs_ = {};
  expected_ = {};
  allowed_ = {};
  parts_.reset();
}

std::size_t HeldProblem::bytes_to_verify(const Case& c) const {
  if (const auto parts = parts_of(c); parts != nullptr) return parts->host_bytes();
  return problem_.empty() ? whole_bytes(c) : total_bytes(c.op->outputs(c));
}

void HeldProblem::hold(const Case& c) {
  release_unless(c);
  if (!problem_.empty()) return;
  outputs_ = c.op->outputs(c);
  parts_ = parts_of(c);
  if (parts_ != nullptr) {
    bytes_ = c.op->bytes_moved(c);
    problem_ = problem_key(c);
    return;
  }
  inputs_ = make_inputs(c);
  for (const TensorSpec& spec : outputs_) expected_.emplace_back(spec.bytes());
  const auto input_views = views_of(c.op->inputs(c), inputs_);
  const auto output_views = views_of(outputs_, expected_);
  const Problem held{.the_case = &c, .inputs = input_views, .outputs = output_views};
  c.op->reference(held);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    allowed_.push_back(allowed_differences(held, i));
  }
  bytes_ = c.op->compulsory_bytes == nullptr ? c.op->bytes_moved(c) : c.op->compulsory_bytes(held);
  least_bytes_ = c.op->least_bytes == nullptr ? bytes_ : c.op->least_bytes(held);
  problem_ = problem_key(c);
}

InputReader HeldProblem::inputs() const {
  return parts_ != nullptr ? parts_->inputs() : read_from(inputs_);
}

bool HeldProblem::compare(Workload& work, std::int64_t copies, Verification& result) {
  if (parts_ != nullptr) return compare_parts(work, copies, result);
  bool never_written = false;
  work.read_outputs(
      [&](std::int64_t copy, std::span<const View> outputs) {
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
          const bool had_first = result.first.has_value();
          const std::span got{outputs[i].as<const std::byte>(), outputs_[i].bytes()};
          compare_output(outputs_[i], got, expected_[i], copy, result, allowed_[i]);
          if (had_first || !result.first) continue;
          const std::size_t width = size_of(outputs_[i].dtype);
          const auto at = static_cast<std::size_t>(result.first->position) * width;
          never_written = is_poison(got.subspan(at, width));
        }
      },
      copies);
  return never_written;
}

bool HeldProblem::compare_parts(Workload& work, std::int64_t copies, Verification& result) {
  std::vector<std::byte> got;
  bool never_written = false;
  parts_->for_each([&](const PartedReference::Piece& piece) {
    TensorSpec spec = outputs_[piece.output];
    const std::size_t width = size_of(spec.dtype);
    spec.dims = {static_cast<std::int64_t>(piece.expected.size() / width)};
    got.resize(piece.expected.size());
    for (std::int64_t copy = 0; copy < copies; ++copy) {
      work.read_output(copy, piece.output, static_cast<std::size_t>(piece.first) * width, got);
      const bool had_first = result.first.has_value();
      compare_output(spec, got, piece.expected, copy, result, piece.allowed);
      if (had_first || !result.first) continue;
      const auto at = static_cast<std::size_t>(result.first->position) * width;
      never_written = is_poison(std::span(got).subspan(at, width));
      result.first->position += piece.first;
    }
  });
  least_bytes_ = parts_->least_bytes();
  return never_written;
}

}  // namespace redux
