#include "backend/layout.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "core/op.hpp"

namespace redux {
namespace {

constexpr std::size_t kAlignment = 256;

std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace

ArenaLayout::ArenaLayout(const Case& c, const DeviceFacts& device) {
  std::size_t end = 0;
  const auto add = [&](const char* role, const TensorSpec& spec) {
    const std::size_t offset = round_up(end + kGuardBytes, kAlignment);
    bands_.push_back({end, offset - end});
    slots_.push_back({std::string(role) + " '" + spec.name + "'",
                      spec.dtype,
                      spec.count(),
                      {offset, spec.bytes()}});
    data_bytes_ += spec.bytes();
    end = offset + spec.bytes();
  };
  for (const TensorSpec& spec : c.op->inputs(c)) add("input", spec);
  input_count_ = slots_.size();
  for (const TensorSpec& spec : c.op->outputs(c)) add("output", spec);
  stride_bytes_ = round_up(end + kGuardBytes, kAlignment);
  bands_.push_back({end, stride_bytes_ - end});

  workspace_bytes_ = redux::workspace_bytes(*c.variant, c, device);
  workspace_alignment_ = c.variant->workspace_alignment;
  if (!std::has_single_bit(workspace_alignment_)) {
    throw std::logic_error("variant '" + c.variant->name + "' asks for a workspace aligned to " +
                           std::to_string(workspace_alignment_) +
                           " bytes; an alignment is a power of two");
  }
}

std::span<const Slot> ArenaLayout::inputs() const {
  return std::span(slots_).first(input_count_);
}

std::span<const Slot> ArenaLayout::outputs() const {
  return std::span(slots_).subspan(input_count_);
}

Stretch ArenaLayout::workspace_region(std::int64_t copies) const {
  const std::size_t offset = static_cast<std::size_t>(copies) * stride_bytes_;
  if (workspace_bytes_ == 0) return {offset, 0};
  // The search for an address with exactly the alignment skips less than two alignments.
  const std::size_t bytes = (2 * kGuardBytes) + (2 * workspace_alignment_) + workspace_bytes_;
  return {offset, round_up(bytes, kAlignment)};
}

std::size_t ArenaLayout::total_bytes(std::int64_t copies) const {
  const Stretch region = workspace_region(copies);
  return region.offset + region.bytes;
}

Stretch ArenaLayout::workspace(const std::byte* base, std::int64_t copies) const {
  const Stretch region = workspace_region(copies);
  if (region.bytes == 0) return {region.offset, 0};
  const auto start = reinterpret_cast<std::uintptr_t>(base);
  const std::size_t period = 2 * workspace_alignment_;
  const std::uintptr_t least = start + region.offset + kGuardBytes;
  std::uintptr_t address = (least / period * period) + workspace_alignment_;
  if (address < least) address += period;
  return {address - start, workspace_bytes_};
}

std::int64_t ArenaLayout::copies_beyond(std::size_t cache_bytes, std::size_t budget_bytes) const {
  const std::size_t wanted = (cache_bytes / std::max<std::size_t>(data_bytes_, 1)) + 1;
  const std::size_t fitting = budget_bytes / stride_bytes_;
  const auto limit = static_cast<std::size_t>(kMaxCopies);
  return static_cast<std::int64_t>(std::max<std::size_t>(std::min({wanted, fitting, limit}), 1));
}

std::vector<View> ArenaLayout::views(std::byte* base, std::int64_t copy) const {
  std::vector<View> views;
  views.reserve(slots_.size());
  std::byte* start = base + (static_cast<std::size_t>(copy) * stride_bytes_);
  for (const Slot& slot : slots_) {
    views.push_back({start + slot.place.offset, slot.dtype, slot.count});
  }
  return views;
}

std::string band_damage(std::span<const std::byte> band, const std::string& before,
                        const std::string& after, std::int64_t copy) {
  const auto changed = [](std::byte b) { return b != std::byte{kGuardByte}; };
  const auto first = std::find_if(band.begin(), band.end(), changed);
  if (first == band.end()) return {};
  const auto last = std::find_if(band.rbegin(), band.rend(), changed);
  const auto from_left = static_cast<std::size_t>(band.rend() - last);
  const auto from_right = static_cast<std::size_t>(band.end() - first);
  // One band serves two buffers: blame the one whose edge is nearer to the damage.
  const auto gap_left = static_cast<std::size_t>(first - band.begin());
  const auto gap_right = static_cast<std::size_t>(last - band.rbegin());
  const bool past_the_end = after.empty() || (!before.empty() && gap_left <= gap_right);
  return (past_the_end ? before : after) + ", copy " + std::to_string(copy) + ": " +
         std::to_string(past_the_end ? from_left : from_right) + " bytes " +
         (past_the_end ? "past the end" : "before the start");
}

std::string input_damage(const Slot& slot, std::int64_t copy, const Stretch& block) {
  return slot.label + ", copy " + std::to_string(copy) + ": changed between bytes " +
         std::to_string(block.offset) + " and " + std::to_string(block.offset + block.bytes - 1);
}

std::uint64_t hash_bytes(std::span<const std::byte> data) {
  // Four lanes, so that the multiplications overlap. Each step is a bijection of its lane.
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};
  std::size_t at = 0;
  for (; at + 32 <= data.size(); at += 32) {
    std::array<std::uint64_t, 4> words{};
    std::memcpy(words.data(), data.data() + at, sizeof(words));
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      lanes[i] = std::rotl((lanes[i] ^ words[i]) * kOdd, 29);
    }
  }
  std::uint64_t hash = data.size();
  for (const std::uint64_t lane : lanes) hash = std::rotl((hash ^ lane) * kOdd, 29);
  for (; at < data.size(); ++at) {
    hash = std::rotl((hash ^ std::to_integer<std::uint64_t>(data[at])) * kOdd, 29);
  }
  return hash;
}

std::vector<Fingerprint> fingerprints(
    std::size_t data_bytes, const std::function<std::span<const std::byte>(const Stretch&)>& read) {
  constexpr std::size_t kBlock = std::size_t{1} << 20U;
  constexpr std::size_t kBlocks = 256;
  std::vector<Fingerprint> prints;
  const auto add = [&](std::size_t offset, std::size_t bytes) {
    const Stretch block{offset, bytes};
    prints.push_back({block, hash_bytes(read(block))});
  };
  if (data_bytes <= kBlock * kBlocks) {
    for (std::size_t at = 0; at < data_bytes; at += kBlock) {
      add(at, std::min(kBlock, data_bytes - at));
    }
    return prints;
  }
  const std::size_t span = data_bytes - kBlock;
  for (std::size_t i = 0; i < kBlocks; ++i) {
    add(static_cast<std::size_t>(static_cast<double>(span) * static_cast<double>(i) /
                                 static_cast<double>(kBlocks - 1)),
        kBlock);
  }
  return prints;
}

}  // namespace redux
