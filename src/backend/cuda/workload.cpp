#include "backend/cuda/workload.hpp"

#include <cuda_profiler_api.h>

#include <algorithm>
#include <array>
#include <utility>

#include "backend/cuda/launch_facts.hpp"
#include "backend/cuda/launched.hpp"
#include "common/probes.hpp"
#include "core/variant.hpp"
#include "verify/verify.hpp"

namespace redux::cuda {
namespace {

/// Rotating copies take no more than this, unless one copy alone is bigger.
constexpr std::size_t kMaxRotationBytes = std::size_t{16} << 30U;
/// Outputs are read back in pieces of about this size.
constexpr std::size_t kReadBytes = std::size_t{64} << 20U;

std::size_t rotation_budget(std::size_t free_bytes) {
  return std::min(free_bytes / 5 * 4, kMaxRotationBytes);
}

std::string label_at(std::span<const Slot> slots, std::size_t index) {
  return index < slots.size() ? slots[index].label : std::string{};
}

}  // namespace

CudaWorkload::CudaWorkload(Case c, const InputReader& inputs, bool cold,
                           std::shared_ptr<Device> device)
    : case_(std::move(c)), device_(std::move(device)), layout_(case_, device_->facts()) {
  if (cold) {
    copies_ = layout_.copies_beyond(device_->beyond_cache_bytes(),
                                    rotation_budget(device_->free_bytes()));
  }
  arena_ = device_->take_arena(layout_.total_bytes(copies_));
  workspace_ = layout_.workspace(arena_->data(), copies_);
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    views_.push_back(layout_.views(arena_->data(), copy));
  }
  const std::size_t input_count = layout_.inputs().size();
  for (const std::vector<View>& views : views_) {
    problems_.push_back(
        {.the_case = &case_,
         .inputs = std::span(views).first(input_count),
         .outputs = std::span(views).subspan(input_count),
         .workspace = workspace_.bytes > 0 ? arena_->data() + workspace_.offset : nullptr,
         .workspace_bytes = workspace_.bytes});
  }
  upload(inputs);
}

CudaWorkload::~CudaWorkload() {
  device_->note_errors(case_.id());
}

void CudaWorkload::upload(const InputReader& inputs) {
  cudaStream_t stream = device_->stream();
  std::byte* base = arena_->data();
  const std::size_t stride = layout_.stride_bytes();
  REDUX_CUDA_CHECK(cudaMemsetAsync(base, kGuardByte, stride, stream));
  for (std::size_t i = 0; i < layout_.inputs().size(); ++i) {
    const Stretch place = layout_.inputs()[i].place;
    for_each_piece(inputs, i, place.bytes, [&](std::size_t at, std::span<const std::byte> piece) {
      // From pageable memory: `piece` may go as soon as this returns.
      REDUX_CUDA_CHECK(cudaMemcpyAsync(base + place.offset + at, piece.data(), piece.size(),
                                       cudaMemcpyHostToDevice, stream));
    });
    prints_.push_back(fingerprints(
        place.bytes, [&](const Stretch& block) { return inputs(i, block.offset, block.bytes); }));
  }
  // Whole copies, guard bands included, in doubling steps: few big transfers.
  for (std::int64_t done = 1; done < copies_;) {
    const std::int64_t more = std::min(done, copies_ - done);
    REDUX_CUDA_CHECK(cudaMemcpyAsync(start_of(done), base, static_cast<std::size_t>(more) * stride,
                                     cudaMemcpyDeviceToDevice, stream));
    done += more;
  }
  const Stretch region = layout_.workspace_region(copies_);
  if (region.bytes > 0) {
    REDUX_CUDA_CHECK(cudaMemsetAsync(base + region.offset, kGuardByte, region.bytes, stream));
    REDUX_CUDA_CHECK(cudaMemsetAsync(base + workspace_.offset, 0, workspace_.bytes, stream));
  }
  poison_outputs();
}

std::byte* CudaWorkload::start_of(std::int64_t copy) const {
  return arena_->data() + (static_cast<std::size_t>(copy) * layout_.stride_bytes());
}

void CudaWorkload::poison_outputs() {
  for (const Slot& slot : layout_.outputs()) {
    std::byte* first = arena_->data() + slot.place.offset;
    if (copies_ == 1) {  // a 2D pitch is limited, a single buffer is not
      REDUX_CUDA_CHECK(cudaMemsetAsync(first, kPoisonByte, slot.place.bytes, device_->stream()));
    } else {
      REDUX_CUDA_CHECK(cudaMemset2DAsync(first, layout_.stride_bytes(), kPoisonByte,
                                         slot.place.bytes, static_cast<std::size_t>(copies_),
                                         device_->stream()));
    }
  }
  device_->synchronize();
}

void CudaWorkload::call(std::int64_t copy) const {
  run(*case_.variant, problems_[static_cast<std::size_t>(copy)], device_->exec());
}

void CudaWorkload::call_round() const {
  std::int64_t copy = 0;
  for (std::int64_t i = 0; i < calls_per_round_; ++i) {
    call(copy);
    if (cache_ == Cache::cold && ++copy == copies_) copy = 0;
  }
  // Once a round: a kernel a call would cost more than the share that it stands for.
  if (spin_us_ > 0) probe_spin(device_->exec(), static_cast<std::uint64_t>(spin_us_ * 1e3));
}

void CudaWorkload::warm_up(Cache cache, std::int64_t calls) {
  for (std::int64_t i = 0; i < calls; ++i) {
    call(cache == Cache::warm ? 0 : i % copies_);
    REDUX_CUDA_CHECK(cudaGetLastError());
  }
  device_->synchronize();
  // After a call, because the first one may load modules, which a capture should not.
  if (!launched_) check_nodes();
}

void CudaWorkload::start_capture() {
  device_->synchronize();
  REDUX_CUDA_CHECK(cudaProfilerStart());
}

void CudaWorkload::stop_capture() noexcept {
  static_cast<void>(cudaProfilerStop());
}

void CudaWorkload::check_nodes() {
  const Nodes found = nodes_of(capture(device_->stream(), [this] { call(0); }));
  launched_ =
      as_launched(case_.variant->name, geometry(*case_.variant, case_, device_->facts()), found);
}

void CudaWorkload::set_up_batch(Mode mode, Cache cache, std::int64_t calls) {
  mode_ = mode;
  cache_ = cache;
  calls_ = calls;
  calls_per_round_ = calls;
  const std::size_t rotation_bytes = static_cast<std::size_t>(copies_) * layout_.data_bytes();
  const bool too_small = rotation_bytes <= device_->beyond_cache_bytes();
  flushes_ = cache == Cache::cold && (too_small || calls < copies_);
  // A second rotation would find the first one's copies in the cache.
  if (flushes_) calls_per_round_ = std::min(calls, copies_);
  spin_us_ = 0;
  make_ready();
  if (handicap_ <= 1) return;
  // What a round takes by itself, as the median of three.
  std::array<double, 3> batches_us{};
  for (double& batch_us : batches_us) batch_us = run_batch();
  std::ranges::sort(batches_us);
  spin_us_ = (handicap_ - 1) * batches_us[1] * static_cast<double>(calls_per_round_) /
             static_cast<double>(calls_);
  probe_spin(device_->exec(), 0);  // loads the kernel, which a capture should not have to
  make_ready();
}

void CudaWorkload::make_ready() {
  batch_graph_ = GraphExec();
  if (mode_ == Mode::graph) {
    batch_graph_ =
        instantiate(capture(device_->stream(), [this] { call_round(); }), device_->stream());
  }
  device_->synchronize();
}

double CudaWorkload::run_batch() {
  cudaStream_t stream = device_->stream();
  const std::int64_t rounds = (calls_ + calls_per_round_ - 1) / calls_per_round_;
  double total_us = 0;
  for (std::int64_t round = 0; round < rounds; ++round) {
    if (flushes_) device_->enqueue_flush();
    if (mode_ == Mode::graph) {
      total_us += stopwatch_.time_us(
          stream, [this] { device_->enqueue_head_start(); },
          [&] { REDUX_CUDA_CHECK(cudaGraphLaunch(batch_graph_.get(), stream)); });
    } else {
      // No head start: how fast the host launches is part of what this mode measures.
      device_->synchronize();
      total_us += stopwatch_.time_us(stream, {}, [this] { call_round(); });
    }
  }
  // The last round is whole too: a batch of a broken number of rotations is scaled back.
  return total_us * static_cast<double>(calls_) / static_cast<double>(rounds * calls_per_round_);
}

std::int64_t CudaWorkload::called_copies() const {
  return cache_ == Cache::warm ? 1 : std::min(calls_per_round_, copies_);
}

void CudaWorkload::gather(std::vector<std::byte>& to, const Stretch& place, std::int64_t first,
                          std::int64_t count) const {
  to.resize(place.bytes * static_cast<std::size_t>(count));
  if (to.empty()) return;
  const std::byte* from = start_of(first) + place.offset;
  if (count == 1) {
    REDUX_CUDA_CHECK(
        cudaMemcpyAsync(to.data(), from, place.bytes, cudaMemcpyDeviceToHost, device_->stream()));
  } else {
    REDUX_CUDA_CHECK(cudaMemcpy2DAsync(to.data(), place.bytes, from, layout_.stride_bytes(),
                                       place.bytes, static_cast<std::size_t>(count),
                                       cudaMemcpyDeviceToHost, device_->stream()));
  }
  device_->synchronize();
}

void CudaWorkload::read_outputs(
    const std::function<void(std::int64_t, std::span<const View>)>& visit,
    std::optional<std::int64_t> limit) {
  const auto outputs = layout_.outputs();
  std::size_t copy_bytes = 1;
  for (const Slot& slot : outputs) copy_bytes += slot.place.bytes;
  const auto piece = static_cast<std::int64_t>(std::max<std::size_t>(kReadBytes / copy_bytes, 1));
  const std::int64_t end = std::min(copies_, limit.value_or(copies_));
  std::vector<std::vector<std::byte>> data(outputs.size());
  std::vector<View> views(outputs.size());
  for (std::int64_t first = 0; first < end; first += piece) {
    const std::int64_t count = std::min(piece, end - first);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      gather(data[i], outputs[i].place, first, count);
    }
    for (std::int64_t row = 0; row < count; ++row) {
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::size_t offset = static_cast<std::size_t>(row) * outputs[i].place.bytes;
        views[i] = {data[i].data() + offset, outputs[i].dtype, outputs[i].count};
      }
      visit(first + row, views);
    }
  }
}

void CudaWorkload::read_output(std::int64_t copy, std::size_t output, std::size_t offset,
                               std::span<std::byte> to) {
  const std::byte* from = start_of(copy) + layout_.outputs()[output].place.offset + offset;
  REDUX_CUDA_CHECK(
      cudaMemcpyAsync(to.data(), from, to.size(), cudaMemcpyDeviceToHost, device_->stream()));
  device_->synchronize();
}

std::string CudaWorkload::band_damage_in(std::size_t band) const {
  std::vector<std::byte> bytes;
  const Stretch place = layout_.bands()[band];
  gather(bytes, place, 0, copies_);
  const auto slots = layout_.slots();
  for (std::int64_t copy = 0; copy < copies_; ++copy) {
    const std::span row(bytes.data() + (static_cast<std::size_t>(copy) * place.bytes), place.bytes);
    std::string found = band_damage(row, band > 0 ? label_at(slots, band - 1) : std::string{},
                                    label_at(slots, band), copy);
    if (!found.empty()) return found;
  }
  return {};
}

std::string CudaWorkload::workspace_damage() const {
  const Stretch region = layout_.workspace_region(copies_);
  if (region.bytes == 0) return {};
  const std::size_t end = workspace_.offset + workspace_.bytes;
  std::vector<std::byte> bytes;
  gather(bytes, {region.offset, workspace_.offset - region.offset}, 0, 1);
  if (auto found = band_damage(bytes, "", "workspace", 0); !found.empty()) return found;
  gather(bytes, {end, region.offset + region.bytes - end}, 0, 1);
  return band_damage(bytes, "workspace", "", 0);
}

std::string CudaWorkload::input_damage_in(std::size_t input, std::int64_t copy) const {
  const Slot& slot = layout_.inputs()[input];
  std::vector<std::byte> bytes;
  for (const Fingerprint& print : prints_[input]) {
    gather(bytes, {slot.place.offset + print.block.offset, print.block.bytes}, copy, 1);
    if (hash_bytes(bytes) != print.hash) return input_damage(slot, copy, print.block);
  }
  return {};
}

std::string CudaWorkload::damage() {
  for (std::size_t band = 0; band < layout_.bands().size(); ++band) {
    if (auto found = band_damage_in(band); !found.empty()) return found;
  }
  if (auto found = workspace_damage(); !found.empty()) return found;
  for (std::size_t input = 0; input < prints_.size(); ++input) {
    for (const std::int64_t copy : {std::int64_t{0}, copies_ - 1}) {
      if (auto found = input_damage_in(input, copy); !found.empty()) return found;
    }
  }
  return {};
}

std::optional<LaunchFacts> CudaWorkload::launch_facts() const {
  const Geometry declared = geometry(*case_.variant, case_, device_->facts());
  return describe_launch(launched_.value_or(declared), device_->facts());
}

}  // namespace redux::cuda
