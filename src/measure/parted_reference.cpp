#include "measure/parted_reference.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "data/data.hpp"
#include "verify/verify.hpp"

namespace redux {
namespace {

std::size_t unsigned_of(std::int64_t count) {
  return static_cast<std::size_t>(count);
}

std::int64_t bytes_of(const std::vector<TensorSpec>& specs) {
  std::int64_t bytes = 0;
  for (const TensorSpec& spec : specs) bytes += static_cast<std::int64_t>(spec.bytes());
  return bytes;
}

/// `c` over other extents, along the same axis of them.
Case with_extents(const Case& c, std::int64_t blocks, std::int64_t length, std::int64_t inner) {
  Case part = c;
  part.shape.dims = {blocks, length};
  part.attributes.axis = -1;
  if (inner != 1) {
    part.shape.dims.push_back(inner);
    part.attributes.axis = 1;
  }
  return part;
}

}  // namespace

std::unique_ptr<PartedReference> PartedReference::of(const Case& c, std::size_t part_bytes) {
  const auto inputs = c.op->inputs(c);
  const bool one_tensor = inputs.size() == 1 && inputs[0].content == Content::data;
  if (c.op->takes_graphs || c.data == "file" || !one_tensor) return nullptr;
  std::unique_ptr<PartedReference> made(new PartedReference(c, part_bytes));
  if (made->blocks_a_part_ == 0 && made->positions_a_part_ == 0) return nullptr;
  return made;
}

PartedReference::PartedReference(const Case& c, std::size_t part_bytes)
    : case_(c),
      view_(view_along(c.shape.dims, c.attributes.axis)),
      outputs_(c.op->outputs(c)),
      position_bytes_(size_of(c.dtype)) {
  indices_ = outputs_.size();
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    if (outputs_[i].name == "indices") indices_ = i;
    const std::size_t width = size_of(outputs_[i].dtype);
    const std::size_t bound = outputs_[i].match == Match::bounded ? sizeof(double) : 0;
    if (scans(i)) position_bytes_ += width + bound;
  }
  const std::size_t slice = unsigned_of(view_.inner) * position_bytes_;
  blocks_a_part_ = static_cast<std::int64_t>(part_bytes / (slice * unsigned_of(view_.length)));
  blocks_a_part_ = std::min(blocks_a_part_, view_.outer);
  const auto positions = static_cast<std::int64_t>(part_bytes / slice);
  // One is taken by what is carried over.
  if (c.op->continues && indices_ < outputs_.size()) {
    positions_a_part_ = std::max<std::int64_t>(positions - 1, 0);
  }
}

bool PartedReference::scans(std::size_t output) const {
  return outputs_[output].count() == view_.outer * view_.length * view_.inner;
}

std::size_t PartedReference::host_bytes() const {
  const std::int64_t positions = blocks_a_part_ > 0 ? blocks_a_part_ * view_.length
                                                    : std::min(positions_a_part_, view_.length) + 1;
  // What was read back of an output is held beside it, and what backends read of the inputs.
  constexpr std::size_t kPiece = std::size_t{64} << 20U;
  return (2 * unsigned_of(positions * view_.inner) * position_bytes_) + kPiece;
}

InputReader PartedReference::inputs() const {
  return [c = case_, view = view_, made = std::vector<std::byte>()](
             std::size_t /*input*/, std::size_t offset, std::size_t bytes) mutable {
    const std::size_t width = size_of(c.dtype);
    const std::size_t first = offset / width;
    const std::size_t end = (offset + bytes + width - 1) / width;
    made.resize((end - first) * width);
    fill_from(c.data, c.dtype, view, c.seed, static_cast<std::int64_t>(first), made);
    return std::span<const std::byte>(made).subspan(offset - (first * width), bytes);
  };
}

void PartedReference::for_each(const std::function<void(const Piece&)>& use) {
  least_bytes_ = bytes_of(outputs_);
  const std::int64_t blocks = std::max<std::int64_t>(blocks_a_part_, 1);
  const std::int64_t positions = blocks_a_part_ > 0 ? view_.length : positions_a_part_;
  for (std::int64_t outer = 0; outer < view_.outer; outer += blocks) {
    for (std::int64_t begin = 0; begin < view_.length; begin += positions) {
      const std::int64_t length = std::min(positions, view_.length - begin);
      compute({.outer = outer,
               .blocks = std::min(blocks, view_.outer - outer),
               .begin = begin,
               .length = length,
               .last = begin + length == view_.length},
              use);
    }
  }
}

void PartedReference::compute(const Part& part, const std::function<void(const Piece&)>& use) {
  const std::size_t width = size_of(case_.dtype);
  const bool carried = part.begin > 0;
  const std::int64_t ahead = carried ? view_.inner : 0;
  const Case c = with_extents(case_, part.blocks, part.length + (carried ? 1 : 0), view_.inner);
  const std::int64_t first = ((part.outer * view_.length) + part.begin) * view_.inner;
  const std::int64_t elements = part.blocks * part.length * view_.inner;

  input_.resize(unsigned_of(ahead + elements) * width);
  if (carried) std::memcpy(input_.data(), carried_.data(), carried_.size());
  fill_from(case_.data, case_.dtype, view_, case_.seed, first,
            std::span(input_).subspan(unsigned_of(ahead) * width));
  const auto specs = c.op->outputs(c);
  expected_.resize(specs.size());
  std::vector<View> outputs;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    expected_[i].resize(specs[i].bytes());
    outputs.push_back({expected_[i].data(), specs[i].dtype, specs[i].count()});
  }
  const View input{input_.data(), case_.dtype, ahead + elements};
  const Problem problem{.the_case = &c, .inputs = {&input, 1}, .outputs = outputs};
  c.op->reference(problem);
  const std::int64_t needed = c.op->least_bytes == nullptr
                                  ? static_cast<std::int64_t>(input_.size())
                                  : c.op->least_bytes(problem) - bytes_of(specs);
  least_bytes_ += needed - (ahead * static_cast<std::int64_t>(width));

  std::vector<std::vector<double>> allowed(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) allowed[i] = allowed_differences(problem, i);
  if (carried || !part.last) carry_on(part, outputs[indices_]);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const std::span<const std::byte> made(expected_[i]);
    if (scans(i)) {
      const std::size_t skipped = unsigned_of(ahead) * size_of(specs[i].dtype);
      use({i, first, made.subspan(skipped), allowed[i]});
    } else if (part.last) {
      use({i, part.outer * view_.inner, made, allowed[i]});
    }
  }
}

/// Makes positions in the part those in the line, and keeps what the next part begins with.
void PartedReference::carry_on(const Part& part, const View& view) {
  const std::size_t width = size_of(case_.dtype);
  auto* indices = view.as<std::int64_t>();
  const std::int64_t ahead = part.begin > 0 ? 1 : 0;
  std::vector<std::byte> next(unsigned_of(view_.inner) * width);
  for (std::int64_t line = 0; line < view_.inner; ++line) {
    const std::int64_t at = indices[view.count - view_.inner + line];
    std::memcpy(next.data() + (unsigned_of(line) * width),
                input_.data() + (unsigned_of((at * view_.inner) + line) * width), width);
  }
  for (std::int64_t i = 0; i < view.count; ++i) {
    const bool is_carried = ahead == 1 && indices[i] == 0;
    indices[i] = is_carried ? carried_indices_[unsigned_of(i % view_.inner)]
                            : indices[i] - ahead + part.begin;
  }
  carried_indices_.assign(indices + view.count - view_.inner, indices + view.count);
  carried_ = std::move(next);
}

}  // namespace redux
