// Writes what the lanes of a warp hold so that neighbouring lanes write neighbouring addresses.
#pragma once

#include "common/warp.cuh"
#include "cumminmax/lanes.cuh"

namespace redux::cumminmax {

inline constexpr int kWarpsOfRows = 4;  ///< of a block in which every warp has tiles of its own

/// Lane by lane, `Width` numbers of each: the first `count` of them go to `to`, whole vectors where
/// that is aligned. A lane's numbers may take more than 16 bytes (indices of narrow elements) or be
/// misaligned; written as they are held, each instruction would touch twice the sectors or more
/// that it fills. So they change lanes through shared memory. All lanes of the warp take part;
/// `Warps` is that of the block, at least.
template <int Warps, bool Aligned, class Number, int Width>
__device__ void write_run(Number* to, const Number (&mine)[Width], std::int64_t count) {
  using Piece = Pack<Number>;
  constexpr int kPiece = Piece::kWidth;
  constexpr int kPieces = Width / kPiece;
  const auto write_piece = [&](int at, const Piece& piece) {
    if (at < count) store_pack(to + at, piece);
  };
  if constexpr (Aligned && kPieces == 1) {
    Piece piece;
#pragma unroll
    for (int i = 0; i < kPiece; ++i) piece.values[i] = mine[i];
    write_piece(lane_id() * kPiece, piece);
    return;
  }
  struct Stage {
    Piece of_warp[Warps][kPieces * kWarp];
  };
  Piece* stage = shared_object<Stage>().of_warp[threadIdx.x / kWarp];
  __syncwarp();  // the last run has been written
#pragma unroll
  for (int k = 0; k < kPieces; ++k) {
    Piece piece;
#pragma unroll
    for (int i = 0; i < kPiece; ++i) piece.values[i] = mine[(k * kPiece) + i];
    stage[(lane_id() * kPieces) + k] = piece;
  }
  __syncwarp();
  if constexpr (Aligned) {
#pragma unroll
    for (int k = 0; k < kPieces; ++k) {
      const int piece = (k * kWarp) + lane_id();
      write_piece(piece * kPiece, stage[piece]);
    }
  } else {
    const auto* numbers = reinterpret_cast<const Number*>(stage);
#pragma unroll
    for (int i = 0; i < Width; ++i) {
      const int at = (i * kWarp) + lane_id();
      if (at < count) to[at] = numbers[at];
    }
  }
}

}  // namespace redux::cumminmax
