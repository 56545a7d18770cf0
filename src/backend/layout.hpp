// Where a case's buffers lie in one block of memory: copy after copy at a constant stride, guard
// bands around every buffer, then the workspace between guard bands of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/problem.hpp"
#include "core/variant.hpp"

namespace redux {

/// What guard bands are filled with; unlike the poison of outputs, so that a dump tells them apart.
inline constexpr unsigned char kGuardByte = 0xA5;
/// The least width of a guard band.
inline constexpr std::size_t kGuardBytes = 256;
/// Copies beyond this make a batch no colder, only bigger.
inline constexpr std::int64_t kMaxCopies = 1024;

/// Where a stretch of a copy, or of the workspace, is.
struct Stretch {
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// One input or output within a copy.
struct Slot {
  std::string label;  ///< "output 'indices'"
  DType dtype = DType::float32;
  std::int64_t count = 0;
  Stretch place;  ///< offset from the start of the copy, a multiple of 256
};

class ArenaLayout {
 public:
  ArenaLayout(const Case& c, const DeviceFacts& device);

  [[nodiscard]] std::span<const Slot> inputs() const;
  [[nodiscard]] std::span<const Slot> outputs() const;
  [[nodiscard]] std::span<const Slot> slots() const { return slots_; }
  /// Guard bands within a copy: band i lies before slot i, the last one after the last slot.
  [[nodiscard]] std::span<const Stretch> bands() const { return bands_; }
  [[nodiscard]] std::size_t stride_bytes() const { return stride_bytes_; }
  /// Inputs and outputs of one copy, without guard bands.
  [[nodiscard]] std::size_t data_bytes() const { return data_bytes_; }
  [[nodiscard]] std::size_t workspace_bytes() const { return workspace_bytes_; }
  [[nodiscard]] std::size_t total_bytes(std::int64_t copies) const;

  /// Copies whose data exceed `cache_bytes`, at least one, at most kMaxCopies and what fits
  /// `budget_bytes`.
  [[nodiscard]] std::int64_t copies_beyond(std::size_t cache_bytes, std::size_t budget_bytes) const;
  /// The views of a copy in a block at `base`: inputs first.
  [[nodiscard]] std::vector<View> views(std::byte* base, std::int64_t copy) const;

  /// The workspace's region, guard bands included, after `copies` copies.
  [[nodiscard]] Stretch workspace_region(std::int64_t copies) const;
  /// The workspace itself in a block at `base` (aligned to 256): aligned to what the variant asked
  /// and to no more, so that a variant that silently relies on more fails here. Offset from base.
  [[nodiscard]] Stretch workspace(const std::byte* base, std::int64_t copies) const;

 private:
  std::vector<Slot> slots_;
  std::vector<Stretch> bands_;
  std::size_t input_count_ = 0;
  std::size_t stride_bytes_ = 0;
  std::size_t data_bytes_ = 0;
  std::size_t workspace_bytes_ = 0;
  std::size_t workspace_alignment_ = 1;
};

/// Says how far beyond its buffer somebody wrote, e.g. "output 'indices', copy 3: 8 bytes past the
/// end", or nothing if the band is whole. `before` and `after` name the neighbouring buffers; empty
/// where there is none.
std::string band_damage(std::span<const std::byte> band, const std::string& before,
                        const std::string& after, std::int64_t copy);

/// A block of an input and what it held when uploaded.
struct Fingerprint {
  Stretch block;
  std::uint64_t hash = 0;
};

/// Fingerprints that cover the data, or, above 256 MiB, 256 blocks spread evenly over it with both
/// ends: a variant that writes to an input by mistake is found without reading gigabytes back.
/// `read` gives a block, valid until the next call.
std::vector<Fingerprint> fingerprints(
    std::size_t data_bytes, const std::function<std::span<const std::byte>(const Stretch&)>& read);
/// "input 'x', copy 3: changed between bytes 0 and 1048575".
std::string input_damage(const Slot& slot, std::int64_t copy, const Stretch& block);
/// Any one changed bit changes it.
std::uint64_t hash_bytes(std::span<const std::byte> data);

}  // namespace redux
