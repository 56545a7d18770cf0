// redux-simt-mutant FILE.so [whole|tall|last-rounds]: loads a kernel file that was compiled for the
// SIMT executor as a shared object and runs its variant until something is found. Prints "caught by
// CHECK: text" and exits 1, or exits 0. run.py says which files and why.
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstring>
#include <limits>
#include <new>

#include "contract/argminmax_shapes.hpp"
#include "core/half.hpp"
#include "simt/simt_ground.hpp"

namespace redux::contract {
namespace {

constexpr int kFound = 1;
constexpr int kUsage = 2;

/// What a check found.
struct Finding {
  std::string check;
  std::string text;
};

simt::Setting setting_of(const char* schedule, int multiprocessors, int threads = 2048) {
  return {simt::schedule_of(schedule).value(), simt::simulated_device(multiprocessors, threads)};
}

/// "[data-race] write of ..." as a finding.
Finding finding_of(const std::string& fault) {
  const auto end = fault.find("] ");
  return {fault.substr(1, end - 1), fault.substr(end + 2)};
}

/// A case with its memory, for several calls over one workspace.
class Bench {
 public:
  Bench(const Case& c, const simt::Setting& setting, std::size_t offset)
      : case_(c),
        setting_(setting),
        in_(c.op->inputs(c).front()),
        out_(c.op->outputs(c).front()),
        input_(in_.bytes(), offset * size_of(c.dtype)),
        output_(out_.bytes()),
        workspace_(workspace_bytes(*c.variant, c, setting.device)),
        clean_(c.variant->needs_zeroed_workspace),
        input_buffer_(input_.data(), input_.bytes(), simt::Role::input, "the input", true),
        output_buffer_(output_.data(), output_.bytes(), simt::Role::written, "the output", false),
        workspace_buffer_(workspace_.data(), workspace_.bytes(), simt::Role::written,
                          "the workspace", clean_) {
    constexpr int kGarbage = 0xA7;
    std::memset(workspace_.data(), clean_ ? 0 : kGarbage, workspace_.bytes());
    simt::set(setting_);
  }

  void call(Bytes& input) {
    if (!input.empty()) std::memcpy(input_.data(), input.data(), input.size());
    std::memset(output_.data(), kPoisonByte, output_.bytes());
    output_buffer_.forget(false);
    const View in{input_.data(), in_.dtype, in_.count()};
    const View out{output_.data(), out_.dtype, out_.count()};
    try {
      redux::run(*case_.variant,
                 {&case_, {&in, 1}, {&out, 1}, workspace_.data(), workspace_.bytes()},
                 {nullptr, &setting_.device});
    } catch (const simt::Fault& fault) {
      throw finding_of(fault.what());
    }
    compare(reference_of(case_, input).front());
  }

 private:
  void compare(const Bytes& expected) {
    Verification verification;
    compare_output(out_, {output_.data(), output_.bytes()}, expected, 0, verification);
    if (verification.mismatches == 0) return;
    const Mismatch& first = *verification.first;
    throw Finding{"wrong-result", case_.id() + ": indices[" + std::to_string(first.position) +
                                      "] is " + first.got + ", expected " + first.expected +
                                      "; schedule " + simt::name_of(setting_.schedule)};
  }

  const Case& case_;
  const simt::Setting& setting_;
  TensorSpec in_;
  TensorSpec out_;
  PlacedBytes input_;
  PlacedBytes output_;
  PlacedBytes workspace_;
  bool clean_;
  simt::Buffer input_buffer_;
  simt::Buffer output_buffer_;
  simt::Buffer workspace_buffer_;
};

/// The elements in the opposite order: other answers from the same values.
Bytes reversed(const Bytes& input) {
  std::vector<float> values(input.size() / sizeof(float));
  std::memcpy(values.data(), input.data(), input.size());
  std::ranges::reverse(values);
  Bytes result(input.size());
  std::memcpy(result.data(), values.data(), input.size());
  return result;
}

/// Three calls over one workspace with inputs in turn, so that what a call leaves behind is not
/// what the next one would have made.
void check_calls(const simt::Setting& setting, const Case& c, Bytes& input) {
  Bytes other = reversed(input);
  Bench bench(c, setting, 0);
  bench.call(input);
  bench.call(other);
  bench.call(input);
}

/// All rows of `length` elements over values at which orders and identities change.
Bytes alphabet_rows(std::int64_t length, std::int64_t& rows) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array kAlphabet{
      -Limits::infinity(), Limits::lowest(),   -1.0F, -0.0F, 0.0F, 1.0F, Limits::max(),
      Limits::infinity(),  Limits::quiet_NaN()};
  rows = 1;
  for (std::int64_t i = 0; i < length; ++i) rows *= kAlphabet.size();
  std::vector<float> values;
  for (std::int64_t row = 0; row < rows; ++row) {
    auto digits = static_cast<std::size_t>(row);
    for (std::int64_t i = 0; i < length; ++i, digits /= kAlphabet.size()) {
      values.push_back(kAlphabet.at(digits % kAlphabet.size()));
    }
  }
  Bytes bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

void check_alphabet(const simt::Setting& setting, const Variant& variant) {
  for (std::int64_t length = 1; length <= 2; ++length) {
    std::int64_t rows = 0;
    Bytes input = alphabet_rows(length, rows);
    Case c = make_case(variant.op, DType::float32, {rows, length});
    c.variant = &variant;
    for (const Nan nan : {Nan::skip, Nan::propagate}) {
      c.attributes.nan = nan;
      Bench(c, setting, 0).call(input);
    }
  }
}

void check_shapes(const simt::Setting& setting, const Variant& variant) {
  // Around the widths of packs, warps and blocks, and those from which variants take several blocks
  // or tiles a row.
  constexpr std::array<Extents, 14> kShapes{{{1, 1},
                                             {2, 3},
                                             {9, 7},
                                             {17, 16},
                                             {9, 32},
                                             {3, 33},
                                             {2, 129},
                                             {2, 257},
                                             {3, 1000},
                                             {2, 4097},
                                             {1, 8200},
                                             {2, 8716},
                                             {1, 20001},
                                             {1, 66000}}};
  constexpr std::array kKinds{"last", "ties", "random", "specials", "nan_middle"};
  std::size_t next = 0;
  for (const Extents& shape : kShapes) {
    Case c = make_case(variant.op, DType::float32, {shape.rows, shape.cols});
    c.variant = &variant;
    const std::size_t kinds = shape.cols > 9000 ? 1 : 2;
    for (std::size_t i = 0; i < kinds; ++i, ++next) {
      c.data = kKinds.at(next % kKinds.size());
      Bytes input = make_inputs(c).front();
      c.attributes.nan = next % 2 == 0 ? Nan::skip : Nan::propagate;
      check_calls(setting, c, input);
      c.attributes.nan = next % 2 == 0 ? Nan::propagate : Nan::skip;
      Bench(c, setting, 1 + i).call(input);  // rows that start off a 16-byte boundary
    }
  }
}

/// Everything but the two below.
void check_whole(const std::vector<const Variant*>& variants) {
  // Reverse first: a missing barrier shows as the race that it is.
  const std::array settings{setting_of("reverse", 132), setting_of("in-order", 2),
                            setting_of("random:1", 13)};
  for (const simt::Setting& setting : settings) {
    for (const Variant* variant : variants) {
      check_shapes(setting, *variant);
      check_alphabet(setting, *variant);
    }
  }
}

/// More rows than a grid has blocks along y, 8 a block, on a device with room for few.
void check_tall(const Variant& variant) {
  const simt::Setting setting = setting_of("in-order", 1, 256);
  Case c = make_case(variant.op, DType::float32, {(8 * 65535) + 1, 1});
  c.variant = &variant;
  Bytes input = make_inputs(c).front();
  Bench(c, setting, 0).call(input);
}

/// A row of the most columns, of which all pages but the last are one page of zeros. The kernel has
/// to be cut down to the last rounds of its loop: nobody wants to wait for all of them.
void check_last_rounds(const Variant& variant) {
  const std::int64_t cols = std::numeric_limits<std::int32_t>::max();
  const simt::Setting setting = setting_of("in-order", 1);
  Case c = make_case(variant.op, DType::float32, {1, cols});
  c.variant = &variant;
  const std::size_t bytes = static_cast<std::size_t>(cols) * sizeof(float);
  void* row = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (row == MAP_FAILED) throw std::bad_alloc();
  static_cast<float*>(row)[cols - 1] = variant.op == "argmax" ? 1.0F : -1.0F;
  const View input{row, DType::float32, cols};
  const simt::Buffer input_buffer(row, bytes, simt::Role::input, "the input", true);
  std::int64_t index = -1;
  const View output{&index, DType::int64, 1};
  const simt::Buffer output_buffer(&index, sizeof(index), simt::Role::written, "the output", false);
  PlacedBytes workspace(workspace_bytes(variant, c, setting.device));
  const simt::Buffer scratch(workspace.data(), workspace.bytes(), simt::Role::written,
                             "the workspace", false);
  simt::set(setting);
  try {
    redux::run(variant, {&c, {&input, 1}, {&output, 1}, workspace.data(), workspace.bytes()},
               {nullptr, &setting.device});
  } catch (const simt::Fault& fault) {
    throw finding_of(fault.what());
  }
  ::munmap(row, bytes);
  if (index == cols - 1) return;
  throw Finding{"wrong-result", c.id() + ": the index is " + std::to_string(index) + ", expected " +
                                    std::to_string(cols - 1)};
}

int check_file(const char* path, const std::string& part) {
  if (::dlopen(path, RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "%s\n", ::dlerror());
    return kUsage;
  }
  std::vector<const Variant*> variants;
  for (const char* op : {"argmax", "argmin"}) {
    for (const Variant* variant : variants_of(op, Side::cuda, simt::registry())) {
      variants.push_back(variant);
    }
  }
  if (variants.empty()) {
    std::fprintf(stderr, "%s registers no variant\n", path);
    return kUsage;
  }
  try {
    if (part == "whole") check_whole(variants);
    for (const Variant* variant : variants) {
      if (part == "tall" && variant->op == "argmax") check_tall(*variant);
      if (part == "last-rounds") check_last_rounds(*variant);
    }
  } catch (const Finding& finding) {
    std::printf("caught by %s: %s\n", finding.check.c_str(), finding.text.c_str());
    return kFound;
  }
  return 0;
}

}  // namespace
}  // namespace redux::contract

int main(int argc, char** argv) {
  const std::string part = argc == 3 ? argv[2] : "whole";
  if (argc < 2 || argc > 3 || (part != "whole" && part != "tall" && part != "last-rounds")) {
    std::fprintf(stderr, "usage: redux-simt-mutant FILE.so [whole|tall|last-rounds]\n");
    return 2;
  }
  return redux::contract::check_file(argv[1], part);
}
