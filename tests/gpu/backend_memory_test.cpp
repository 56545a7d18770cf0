// Guard bands, poison, workspace and input checks on the device.
#include "backend_support.hpp"

namespace redux {
namespace {

using BackendMemory = CudaBackendTest;
using Values = std::vector<std::int64_t>;

TEST_F(BackendMemory, ShowsStaleOutputsAsPoisonAndFreshOnesAsWritten) {
  const auto work = prepare(false);
  EXPECT_EQ(first_outputs(*work, 1), Values{repeated(kPoisonByte)});
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(first_outputs(*work, 1), Values{repeated(1)});
  work->poison_outputs();
  EXPECT_EQ(first_outputs(*work, 1), Values{repeated(kPoisonByte)});
  EXPECT_EQ(work->damage(), "");
}

TEST_F(BackendMemory, UploadsTheInputsToEveryCopy) {
  variant_.launch = [](const Case&, const DeviceFacts&) { return enqueues(0, 0); };
  variant_.run = [](const Problem&, const Exec&) {};
  const auto work = prepare(true);
  ASSERT_EQ(work->copies(), 1024);
  EXPECT_EQ(work->damage(), "");  // compares the last copy's inputs with what was uploaded
}

TEST_F(BackendMemory, NamesAWritePastTheEnd) {
  variant_.run = [](const Problem& problem, const Exec& exec) {
    const View& output = problem.outputs[0];
    REDUX_CUDA_CHECK(cudaMemsetAsync(output.data, 0, output.bytes() + 8, stream_of(exec)));
  };
  const auto work = prepare(false);
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "output 'indices', copy 0: 8 bytes past the end");
}

TEST_F(BackendMemory, NamesTheCopyOfAWriteBeforeTheStart) {
  variant_.run = [](const Problem& problem, const Exec& exec) {
    // The copies differ only in their addresses: let the one at the highest do damage.
    static std::byte* lowest = nullptr;
    auto* input = problem.inputs[0].as<std::byte>();
    if (lowest == nullptr) lowest = input;
    std::byte* target = input == lowest ? problem.outputs[0].as<std::byte>() : input - 4;
    REDUX_CUDA_CHECK(cudaMemsetAsync(target, 0, 4, stream_of(exec)));
  };
  const auto work = prepare(true);
  work->warm_up(Cache::cold, 2);
  EXPECT_EQ(work->damage(), "input 'input', copy 1: 4 bytes before the start");
}

TEST_F(BackendMemory, NamesAWriteBeyondTheWorkspace) {
  variant_.workspace_bytes = [](const Case&, const DeviceFacts&) { return std::size_t{100}; };
  variant_.workspace_alignment = 4;
  variant_.run = [](const Problem& problem, const Exec& exec) {
    REDUX_CUDA_CHECK(cudaMemsetAsync(problem.workspace, 0, 101, stream_of(exec)));
  };
  const auto work = prepare(false);
  EXPECT_EQ(work->damage(), "");
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "workspace, copy 0: 1 bytes past the end");
}

TEST_F(BackendMemory, NamesAChangedInput) {
  variant_.run = [](const Problem& problem, const Exec& exec) {
    REDUX_CUDA_CHECK(
        cudaMemsetAsync(problem.inputs[0].as<std::byte>() + 100, 0, 4, stream_of(exec)));
  };
  const auto work = prepare(false);
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(work->damage(), "input 'input', copy 0: changed between bytes 0 and 4095");
}

TEST_F(BackendMemory, AlignsTheWorkspaceToNoMoreThanAskedAndZeroesIt) {
  variant_.workspace_bytes = [](const Case&, const DeviceFacts&) { return std::size_t{32}; };
  variant_.workspace_alignment = 8;
  variant_.launch = [](const Case&, const DeviceFacts&) { return enqueues(0, 0); };
  variant_.run = [](const Problem& problem, const Exec& exec) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(problem.workspace) % 16, 8U);
    EXPECT_EQ(problem.workspace_bytes, 32U);
    cudaStreamCaptureStatus capturing{};
    REDUX_CUDA_CHECK(cudaStreamIsCapturing(stream_of(exec), &capturing));
    if (capturing != cudaStreamCaptureStatusNone) return;
    std::vector<std::byte> content(32, std::byte{1});
    REDUX_CUDA_CHECK(cudaMemcpyAsync(content.data(), problem.workspace, 32, cudaMemcpyDeviceToHost,
                                     stream_of(exec)));
    REDUX_CUDA_CHECK(cudaStreamSynchronize(stream_of(exec)));
    EXPECT_EQ(content, std::vector<std::byte>(32, std::byte{0}));
  };
  prepare(false)->warm_up(Cache::warm, 1);
}

TEST_F(BackendMemory, KeepsTwoWorkloadsApart) {
  const auto first = prepare(false);
  first->warm_up(Cache::warm, 1);
  const auto second = prepare(false);
  EXPECT_EQ(first_outputs(*first, 1), Values{repeated(1)});
  EXPECT_EQ(first_outputs(*second, 1), Values{repeated(kPoisonByte)});
}

TEST_F(BackendMemory, InputsOfSeveralPiecesArriveWhole) {
  set_shape(1, 40'000'000);  // 160 MB: two pieces of 64 MiB and a bit
  for (std::size_t i = 0; i < inputs_[0].size(); ++i) {
    inputs_[0][i] = static_cast<std::byte>((i * 2654435761U) >> 20U);
  }
  EXPECT_EQ(prepare(false)->damage(), "") << "fingerprints of all bytes";
}

TEST_F(BackendMemory, ReadsAPartOfAnOutput) {
  set_shape(100, 256);
  const auto work = prepare(false);
  std::vector<std::byte> poisoned(24);
  work->read_output(0, 0, 776, poisoned);
  EXPECT_EQ(poisoned, std::vector<std::byte>(24, std::byte{kPoisonByte}));
  work->warm_up(Cache::warm, 1);
  std::vector<std::byte> written(24);
  work->read_output(0, 0, 776, written);
  EXPECT_EQ(written, std::vector<std::byte>(24, std::byte{1}));
}

TEST_F(BackendMemory, HasNoRoomForWhatExceedsTheDevice) {
  const auto columns = static_cast<std::int64_t>(backend_->device().memory_bytes);
  case_.shape.dims = {1, columns};  // four bytes each
  const MemoryNeed need = backend_->memory_need(case_);
  EXPECT_GT(need.needed_bytes, need.free_bytes);
  EXPECT_THROW(backend_->prepare(case_, inputs_, false), OutOfMemory);
  set_shape(4, 256);
  const auto work = prepare(false);  // and the device still works
  work->warm_up(Cache::warm, 1);
  EXPECT_EQ(first_outputs(*work, 1), Values{repeated(1)});
}

}  // namespace
}  // namespace redux
