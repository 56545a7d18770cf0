#include <fmt/format.h>

#include "backend/backend.hpp"
#include "cli/modes.hpp"
#include "cli/session.hpp"
#include "measure/runner.hpp"

namespace redux::cli {
namespace {

class LocalSession final : public Session {
 public:
  LocalSession(const Options& options, const Selection& selection)
      : options_(options), handicap_(handicap_of(options)) {
    host_wanted_ = selection.has(Side::host);
    cuda_wanted_ = selection.has(Side::cuda);
  }

  Opened open() override {
    Opened opened;
    if (options_.backend == BackendChoice::simt) {
      cuda_ = simt_backend(options_);
      // A simulated device has no driver and no clocks.
      opened.environment = read_environment(nullptr);
      opened.environment.gpu = cuda_->device();
      return opened;
    }
    const bool asked = options_.backend == BackendChoice::cuda || options_.device;
    if (options_.backend != BackendChoice::host && (asked || cuda_wanted_)) {
      cuda_ = make_cuda_backend(options_.device.value_or(0), opened.without_cuda);
      if (cuda_ == nullptr && asked) throw Failure(ExitCode::environment, opened.without_cuda);
    }
    if (host_wanted_) host_ = make_host_backend();
    opened.environment = read_environment(cuda_ == nullptr ? nullptr : &cuda_->device());
    return opened;
  }

  void measure_ceilings(Side side, Ceilings& ceilings) override {
    of(side).measure_ceilings(ceilings);
  }

  Record run(const Config& config, const Case& c, Ceilings& ceilings) override {
    if (config_ != &config) {
      config_ = &config;
      runner_ = std::make_unique<Runner>(RunSettings{.measure = config.measure,
                                                     .verify_only = options_.verify_only,
                                                     .profile_calls = options_.profile.value_or(0),
                                                     .profile_cold = options_.profile_cold,
                                                     .config_path = config.path,
                                                     .repro_options = repro_options(options_),
                                                     .handicap = handicap_},
                                         ceilings);
    }
    Record record = runner_->run(c, of(c.variant->side));
    ceilings = runner_->ceilings();
    return record;
  }

  [[nodiscard]] bool spent() const override {
    return (runner_ != nullptr && runner_->tainted()) ||
           (cuda_ != nullptr && !cuda_->lost().empty());
  }

 private:
  [[nodiscard]] Backend& of(Side side) const { return side == Side::host ? *host_ : *cuda_; }

  const Options& options_;
  std::function<double(const std::string&)> handicap_;
  bool host_wanted_ = false;
  bool cuda_wanted_ = false;
  std::unique_ptr<Backend> host_;
  std::unique_ptr<Backend> cuda_;  ///< or what stands in for it
  const Config* config_ = nullptr;
  std::unique_ptr<Runner> runner_;  ///< of that config
};

}  // namespace

std::unique_ptr<Backend> simt_backend(const Options& options) {
  SimtSettings settings;
  settings.multiprocessors = options.simt_multiprocessors.value_or(settings.multiprocessors);
  settings.schedule = options.simt_schedule;
  return make_simt_backend(settings);
}

std::string repro_options(const Options& options) {
  if (options.profile) {
    return fmt::format("--profile {}{}", *options.profile,
                       options.profile_cold ? " --profile-cold" : "");
  }
  if (options.backend != BackendChoice::simt) return {};
  std::string text = "--backend simt --verify-only";
  if (options.simt_multiprocessors) {
    text += fmt::format(" --simt-multiprocessors {}", *options.simt_multiprocessors);
  }
  return text;
}

std::unique_ptr<Session> local_session(const Options& options, const Selection& selection) {
  return std::make_unique<LocalSession>(options, selection);
}

}  // namespace redux::cli
