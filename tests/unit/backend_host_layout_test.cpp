// Where buffers lie, and how damage to what is between them is named.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "backend/host_memory.hpp"
#include "backend/layout.hpp"
#include "core/op.hpp"

namespace redux {
namespace {

class LayoutTest : public testing::Test {
 protected:
  LayoutTest() {
    op_.name = "fake";
    op_.inputs = [](const Case& c) -> std::vector<TensorSpec> {
      return {{"input", c.dtype, c.shape.dims}};
    };
    op_.outputs = [](const Case&) -> std::vector<TensorSpec> {
      return {{"values", DType::int32, {3}}, {"indices", DType::int64, {5}}};
    };
    variant_.name = "fake";
    variant_.workspace_bytes = [](const Case&, const DeviceFacts&) { return std::size_t{100}; };
    case_.op = &op_;
    case_.variant = &variant_;
    case_.shape.dims = {7, 31};
  }

  Op op_;
  Variant variant_;
  Case case_;
};

TEST_F(LayoutTest, PutsWideGuardBandsAroundAlignedBuffers) {
  const ArenaLayout layout(case_, {});
  ASSERT_EQ(layout.slots().size(), 3U);
  ASSERT_EQ(layout.bands().size(), 4U);
  EXPECT_EQ(layout.inputs().size(), 1U);
  EXPECT_EQ(layout.outputs()[1].label, "output 'indices'");
  EXPECT_EQ(layout.data_bytes(), 7U * 31 * 4 + 12 + 40);
  std::size_t at = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(layout.bands()[i].offset, at);  // bands and buffers leave no hole
    EXPECT_GE(layout.bands()[i].bytes, kGuardBytes);
    at += layout.bands()[i].bytes;
    if (i == 3) break;
    EXPECT_EQ(layout.slots()[i].place.offset, at);
    EXPECT_EQ(at % 256, 0U);
    at += layout.slots()[i].place.bytes;
  }
  EXPECT_EQ(layout.stride_bytes(), at);
}

TEST_F(LayoutTest, AlignsTheWorkspaceToWhatIsAskedAndNoMore) {
  alignas(4096) static std::array<std::byte, 65536> block;
  for (const std::size_t alignment : {1U, 4U, 8U, 16U, 128U, 256U, 1024U}) {
    variant_.workspace_alignment = alignment;
    const ArenaLayout layout(case_, {});
    for (const std::int64_t copies : {1, 2, 3}) {
      const Stretch region = layout.workspace_region(copies);
      const Stretch workspace = layout.workspace(block.data(), copies);
      const auto address = reinterpret_cast<std::uintptr_t>(block.data() + workspace.offset);
      EXPECT_EQ(address % (2 * alignment), alignment) << alignment;
      EXPECT_EQ(workspace.bytes, 100U);
      EXPECT_GE(workspace.offset, region.offset + kGuardBytes);
      EXPECT_GE(region.offset + region.bytes, workspace.offset + workspace.bytes + kGuardBytes);
      EXPECT_EQ(layout.total_bytes(copies), region.offset + region.bytes);
    }
  }
}

TEST_F(LayoutTest, RefusesAnAlignmentThatIsNoPowerOfTwo) {
  variant_.workspace_alignment = 24;
  EXPECT_THROW(ArenaLayout(case_, {}), std::logic_error);
}

TEST_F(LayoutTest, HasNoWorkspaceRegionWithoutWorkspace) {
  variant_.workspace_bytes = nullptr;
  const ArenaLayout layout(case_, {});
  EXPECT_EQ(layout.total_bytes(2), 2 * layout.stride_bytes());
}

TEST_F(LayoutTest, TakesJustEnoughCopiesToExceedTheCache) {
  const ArenaLayout layout(case_, {});
  const std::size_t data = layout.data_bytes();
  const std::size_t plenty = std::size_t{1} << 40U;
  EXPECT_EQ(layout.copies_beyond(10 * data - 1, plenty), 10);
  EXPECT_EQ(layout.copies_beyond(10 * data, plenty), 11);
  EXPECT_EQ(layout.copies_beyond(data - 1, plenty), 1);
  EXPECT_EQ(layout.copies_beyond(std::size_t{1} << 40U, plenty), kMaxCopies);
  EXPECT_EQ(layout.copies_beyond(10 * data, 4 * layout.stride_bytes()), 4);
  EXPECT_EQ(layout.copies_beyond(10 * data, 0), 1);
}

TEST(BandDamage, NamesTheNearerBufferAndTheReach) {
  std::vector<std::byte> band(300, std::byte{kGuardByte});
  EXPECT_EQ(band_damage(band, "input 'a'", "output 'b'", 3), "");
  std::fill(band.begin(), band.begin() + 8, std::byte{0});
  EXPECT_EQ(band_damage(band, "input 'a'", "output 'b'", 3),
            "input 'a', copy 3: 8 bytes past the end");
  std::fill(band.begin(), band.end(), std::byte{kGuardByte});
  band[295] = std::byte{1};
  EXPECT_EQ(band_damage(band, "input 'a'", "output 'b'", 0),
            "output 'b', copy 0: 5 bytes before the start");
  EXPECT_EQ(band_damage(band, "input 'a'", "", 0), "input 'a', copy 0: 296 bytes past the end");
  EXPECT_EQ(band_damage(band, "", "output 'b'", 0), "output 'b', copy 0: 5 bytes before the start");
}

std::vector<Fingerprint> fingerprints(const std::vector<std::byte>& data) {
  return redux::fingerprints(data.size(), [&](const Stretch& block) {
    return std::span(data).subspan(block.offset, block.bytes);
  });
}

TEST(Fingerprints, CoverSmallDataAndChangeWithAnyByte) {
  std::vector<std::byte> data((std::size_t{2} << 20U) + 5, std::byte{9});
  const auto prints = fingerprints(data);
  ASSERT_EQ(prints.size(), 3U);
  EXPECT_EQ(prints[2].block.offset, std::size_t{2} << 20U);
  EXPECT_EQ(prints[2].block.bytes, 5U);
  for (const std::size_t at : {std::size_t{0}, std::size_t{31}, data.size() - 1}) {
    auto changed = data;
    changed[at] ^= std::byte{0x80};
    EXPECT_NE(hash_bytes(changed), hash_bytes(data)) << at;
  }
  EXPECT_TRUE(fingerprints({}).empty());
}

TEST(HostMemory, WritesSizesForPeople) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(1023), "1023 B");
  EXPECT_EQ(bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(bytes_text(std::size_t{5} << 30U), "5.00 GiB");
}

TEST(HostMemory, KnowsWhatIsFreeAndHowBigTheCacheIs) {
  EXPECT_GT(free_host_bytes(), 0U);
  EXPECT_GE(last_level_cache_bytes(), std::size_t{1} << 18U);
}

}  // namespace
}  // namespace redux
