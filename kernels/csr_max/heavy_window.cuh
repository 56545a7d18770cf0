// The part of split_hubs for heavy nodes: those of more than a window's edges, a block a window.
#pragma once

#include "csr_max/hub_block.cuh"
#include "csr_max/row_run.cuh"

namespace redux::csr_max {

inline constexpr int kLogWindow = 6;  ///< edges
inline constexpr int kWindow = 1 << kLogWindow;

template <int kThreads>
struct WindowShared {
  Saved of_thread[kThreads];
  std::uint32_t node[2];  ///< that has the window's first edge, its last
  bool is_last;
};

/// The part of heavy nodes that lies in this block's window. All threads.
template <int kInFlight, class T, Reads R, int kLogThreads>
__device__ void heavy_window(const Csr<typename T::Storage, typename T::Index>& graph,
                             const HubBlock<T, R, kLogThreads>& block, std::uint32_t window,
                             WindowShared<1 << kLogThreads>& shared) {
  using Index = typename T::Index;
  const Index first = static_cast<Index>(window) << kLogWindow;
  const Index end = min(first + kWindow, static_cast<Index>(graph.edges));
  ask_for_all(graph);
  for (int v = block.thread; v < graph.nodes; v += 1 << kLogThreads) {
    const Index node_begin = graph.row_ptr[v];
    const Index node_end = graph.row_ptr[v + 1];
    if (node_begin <= first && first < node_end) shared.node[0] = v;
    if (node_begin < end && end <= node_end) shared.node[1] = v;
  }
  sync_block();
  for (int i = 0; i < 2; ++i) {
    const std::uint32_t node = shared.node[i];
    if (i > 0 && node == shared.node[0]) continue;
    const Index node_begin = graph.row_ptr[node];
    const Index node_end = graph.row_ptr[node + 1];
    if (node_end - node_begin <= kWindow) continue;
    const Index from = max(node_begin, first);
    const auto count = static_cast<int>(min(node_end, end) - from);
    const int log_teams = kLogThreads - block.log_lanes;
    const int mine = (count * block.team()) >> log_teams;
    const int next = (count * (block.team() + 1)) >> log_teams;
    RowPart<T, R> best;
    best.clear();
    merge_run<kInFlight>(best, block.view, graph.col_idx + from + mine, Index{next - mine});
    shared.of_thread[block.thread] = best.saved();
    sync_block();
    block.merge_teams(best, shared.of_thread);
    if (block.team() == 0) *block.piece(window, node_begin >= first) = best.saved();
    block.arrive(node, static_cast<std::uint32_t>(node_begin >> kLogWindow),
                 static_cast<std::uint32_t>((node_end - 1) >> kLogWindow), shared.of_thread,
                 shared.is_last);
  }
}

}  // namespace redux::csr_max
