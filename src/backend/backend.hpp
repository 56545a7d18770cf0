// Where cases run. A backend owns memory, clocks and launches; what to run, how often and when to
// stop is decided in measure/, which sees only these two interfaces (and is tested against fakes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/device_facts.hpp"
#include "core/problem.hpp"
#include "core/record.hpp"

namespace redux {

class Registry;

/// Host bytes of one tensor.
using HostTensor = std::vector<std::byte>;

/// `bytes` bytes of input number `input` (in the order of Op::inputs) from `offset` on, valid until
/// the next call. Inputs that are too many for host memory are made piece by piece.
using InputReader = std::function<std::span<const std::byte>(std::size_t input, std::size_t offset,
                                                             std::size_t bytes)>;
/// Reads `inputs`, which have to outlive it.
InputReader read_from(std::span<const HostTensor> inputs);
/// Calls use(offset, piece) for the `bytes` of an input, in pieces of at most 64 MiB.
void for_each_piece(const InputReader& read, std::size_t input, std::size_t bytes,
                    const std::function<void(std::size_t, std::span<const std::byte>)>& use);

/// A call did what no kernel may, whatever it computed (a race, a read of what nobody wrote). The
/// case is wrong.
class KernelFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A case made ready: inputs uploaded, outputs and workspace allocated, every buffer between guard
/// bands, and as many copies of inputs and outputs as `cold` rotation needs. The destructor frees
/// all of it and never throws. All functions throw on a device error, naming file, line and
/// expression.
class Workload {
 public:
  Workload() = default;
  Workload(const Workload&) = delete;
  Workload& operator=(const Workload&) = delete;
  virtual ~Workload() = default;

  /// Copies that a cold batch rotates over; a warm batch uses copy 0.
  [[nodiscard]] virtual std::int64_t copies() const = 0;
  /// Fills every output of every copy with poison bytes. Untimed.
  virtual void poison_outputs() = 0;
  /// How many calls it takes to verify the case: more than one where the device can be told in
  /// which order to run threads. Each is verified for itself.
  [[nodiscard]] virtual std::int64_t ways() const { return 1; }
  /// Makes way `index` (each in turn, from 0) that of the next call. The options that choose it,
  /// for messages and for the line that reproduces it; empty where there are none.
  virtual std::string choose_way(std::int64_t /*index*/) { return {}; }
  /// Runs `calls` calls untimed (module load, caches, clocks) and waits for them.
  virtual void warm_up(Cache cache, std::int64_t calls) = 0;
  /// What is called until stop_capture() is what a profiler is to look at. Nothing on the host,
  /// where profilers of GPUs find nothing.
  virtual void start_capture() {}
  virtual void stop_capture() noexcept {}
  /// Makes ready what a batch needs and must not be timed: captures the graph of `calls` calls.
  /// Cold batches stay cold for any `calls`: where rotation alone does not do it (too few or too
  /// small copies, fewer calls than copies), run_batch flushes the cache, untimed.
  virtual void set_up_batch(Mode mode, Cache cache, std::int64_t calls) = 0;
  /// From the next set_up_batch on, batches take `factor` (above 1) times as long as they would:
  /// for tests of what finds slow-downs, never for results.
  virtual void handicap(double /*factor*/) {
    throw std::logic_error("this backend cannot slow a case down");
  }
  /// Runs the batch that set_up_batch made ready; microseconds for the whole batch.
  virtual double run_batch() = 0;
  /// Copies, from copy 0 on, whose outputs the batches since set_up_batch have written.
  [[nodiscard]] virtual std::int64_t called_copies() const { return copies(); }
  /// Hands each copy's outputs, on the host, to `visit(copy, outputs)`, in order of copy. The
  /// spans are valid only during the visit. Only the first `limit` copies where it is given.
  virtual void read_outputs(const std::function<void(std::int64_t, std::span<const View>)>& visit,
                            std::optional<std::int64_t> limit) = 0;
  /// Copies what output number `output` of copy `copy` holds from byte `offset` on to `to`.
  virtual void read_output(std::int64_t copy, std::size_t output, std::size_t offset,
                           std::span<std::byte> to) = 0;
  /// Names the first damaged guard band or changed input ("output 'indices', copy 3: 8 bytes past
  /// the end"), or empty.
  virtual std::string damage() = 0;
  /// Why the device's clocks were held down since the last call of this ("power cap"), or empty.
  virtual std::string throttled() { return {}; }
  /// Launch facts for the record; nothing on the host.
  [[nodiscard]] virtual std::optional<LaunchFacts> launch_facts() const = 0;
};

/// What a case would take, before anything is allocated.
struct MemoryNeed {
  std::size_t needed_bytes = 0;  ///< with guard bands and one copy: the least that can run it
  std::size_t free_bytes = 0;
};

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  [[nodiscard]] virtual Side side() const = 0;
  [[nodiscard]] virtual const DeviceFacts& device() const = 0;
  /// Its buffers take host memory.
  [[nodiscard]] virtual bool in_host_memory() const { return side() == Side::host; }
  /// Empty, or why nothing can run in this process any more.
  [[nodiscard]] virtual std::string lost() const { return {}; }
  /// Measures floors and ceilings of this side into `ceilings`, keeping the higher bandwidth and
  /// the lower floor where one is there already.
  virtual void measure_ceilings(Ceilings& ceilings) = 0;
  [[nodiscard]] virtual MemoryNeed memory_need(const Case& c) = 0;
  /// `cold` asks for rotating copies, else there is one. Throws OutOfMemory where it does not fit.
  virtual std::unique_ptr<Workload> prepare(const Case& c, const InputReader& inputs,
                                            bool cold) = 0;
  std::unique_ptr<Workload> prepare(const Case& c, std::span<const HostTensor> inputs, bool cold) {
    return prepare(c, read_from(inputs), cold);
  }
};

/// Always there.
std::unique_ptr<Backend> make_host_backend();
/// The CUDA device of that ordinal. Null with the reason in `why` where this build has no CUDA, or
/// there is no driver or device. Throws Failure(environment) that lists the devices where there are
/// devices but not this one.
std::unique_ptr<Backend> make_cuda_backend(int ordinal, std::string& why);

struct SimtSettings {
  int multiprocessors = 132;
  std::string schedule;  ///< "in-order", "reverse" or "random:SEED"; empty: those three in turn
};
/// The SIMT executor as the CUDA side: it verifies and times nothing. Throws Failure(environment)
/// where this build does not have it.
std::unique_ptr<Backend> make_simt_backend(const SimtSettings& settings);
/// The host variants, and the CUDA variants as the executor runs them. Throws likewise.
const Registry& simt_registry();

}  // namespace redux
