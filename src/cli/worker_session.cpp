// The supervisor's side: it never touches a device, a case or its data.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cli/session.hpp"
#include "cli/worker_messages.hpp"
#include "core/op.hpp"
#include "measure/repro.hpp"
#include "report/read_json.hpp"
#include "worker/channel.hpp"
#include "worker/process.hpp"

namespace redux::cli {
namespace {

using report::Json;

/// A worker that has nothing left to do takes down its device; one that was killed ends when the
/// driver lets it.
constexpr double kGraceSeconds = 10;
constexpr double kKilledSeconds = 30;

/// The worker ended in the middle of an answer; what() says how.
class Died : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// It gave none in time, and was killed.
class Late : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Worker {
 public:
  explicit Worker(const Options& options) : Worker(options, worker::Channel::pair()) {}
  ~Worker() = default;
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// False where it is gone already.
  [[nodiscard]] bool send(const Json& question) const {
    return channel_->send(report::text_of(question));
  }

  /// Throws Died, Late, Failure where the worker answers with one, std::exception where the answer
  /// is none.
  Json receive(double seconds) {
    std::string line;
    const worker::Got got = channel_->receive(line, seconds);
    if (got == worker::Got::late) throw Late("");
    if (got == worker::Got::closed) throw Died(end());
    Json answer = Json::parse(line);
    if (answer.contains("failure")) {
      throw Failure(static_cast<ExitCode>(answer.at("failure").get<int>()),
                    answer.at("message").get<std::string>());
    }
    return answer;
  }

  /// Hangs up and waits for its end, which it says; the end is forced where it does not come.
  std::string end() {
    channel_.reset();
    if (!process_.wait(kGraceSeconds)) kill();
    return process_.how_it_ended();
  }

  /// False where it goes on all the same, as a process does while a driver has hold of it.
  bool kill() {
    process_.kill();
    return process_.wait(kKilledSeconds);
  }

  [[nodiscard]] int id() const { return process_.id(); }

 private:
  static std::vector<std::string> words(const Options& options, int descriptor) {
    std::vector<std::string> all = options.argv;
    all.emplace_back("--worker-channel");
    all.push_back(std::to_string(descriptor));
    return all;
  }

  Worker(const Options& options, std::pair<worker::Channel, worker::Channel> ends)
      : channel_(std::move(ends.first)),
        process_(words(options, ends.second.descriptor()), ends.second.descriptor()) {}

  std::optional<worker::Channel> channel_;
  worker::Process process_;
};

class WorkerSession final : public Session {
 public:
  WorkerSession(const Options& options, const Selection& selection) : options_(options) {
    for (const Config& config : selection.configs) {
      configs_.push_back(config.text);
      start_seconds_ = std::max(start_seconds_, timeout_of(options, config));
    }
  }
  WorkerSession(const WorkerSession&) = delete;
  WorkerSession& operator=(const WorkerSession&) = delete;
  ~WorkerSession() override {
    if (worker_) worker_->end();
  }

  Opened open() override {
    with_second_try([this] { start(); });
    return opened_;
  }

  void measure_ceilings(Side side, Ceilings& ceilings) override {
    with_second_try([&] {
      if (!worker_) start();
      const Json answer = ask({{message::kDo, message::kCeilings},
                               {"side", name_of(side)},
                               {message::kCeilings, report::ceilings_json(ceilings)}},
                              start_seconds_);
      ceilings = report::ceilings_from_json(answer.at(message::kCeilings));
    });
  }

  Record run(const Config& config, const Case& c, Ceilings& ceilings) override {
    const Json question{{message::kDo, message::kRun},
                        {"id", c.id()},
                        {message::kCeilings, report::ceilings_json(ceilings)}};
    // One that was killed between two cases takes none of them along.
    with_second_try([&] {
      if (!worker_) start();
      if (!worker_->send(question)) throw Died(worker_->end());
    });
    const double seconds = timeout_of(options_, config);
    try {
      const Json answer = worker_->receive(seconds);
      Record record = report::record_from_json(answer.at("record"), c);
      ceilings = report::ceilings_from_json(answer.at(message::kCeilings));
      if (answer.at("spent").get<bool>()) retire();
      return record;
    } catch (const Died& died) {
      worker_.reset();
      return lost(config, c, Status::error,
                  std::string("the worker process ") + died.what() + " while it ran this case");
    } catch (const Late&) {
      return timed_out(config, c, seconds);
    } catch (const std::exception& error) {
      retire();
      return lost(config, c, Status::error,
                  std::string("the worker process gave no proper answer: ") + error.what());
    }
  }

 private:
  void start() {
    worker_.emplace(options_);
    const Json answer =
        ask({{message::kDo, message::kOpen}, {"configs", configs_}}, start_seconds_);
    opened_ = {.environment = report::environment_from_json(answer.at("environment")),
               .without_cuda = answer.at("without_cuda").get<std::string>()};
  }

  Json ask(const Json& question, double seconds) {
    if (!worker_->send(question)) throw Died(worker_->end());
    return worker_->receive(seconds);
  }

  /// For what is no case's doing: a worker that ends over it is replaced once.
  template <class Step>
  void with_second_try(const Step& step) {
    if (!stuck_.empty()) throw SessionOver(ExitCode::not_measured, stuck_);
    for (int attempt = 0;; ++attempt) {
      try {
        step();
        return;
      } catch (const Died& died) {
        worker_.reset();
        if (attempt == 0) continue;
        throw SessionOver(ExitCode::not_measured,
                          std::string("no worker process lives until its first case: two ended "
                                      "before it, and the second one ") +
                              died.what());
      } catch (const Late&) {
        kill();
        throw SessionOver(
            ExitCode::not_measured,
            fmt::format("the worker process was not ready after {:g} s", start_seconds_));
      } catch (const Failure& failure) {
        worker_.reset();
        throw SessionOver(failure.code(), failure.what());
      } catch (const std::exception& error) {
        worker_.reset();
        throw SessionOver(ExitCode::not_measured,
                          std::string("the worker process: ") + error.what());
      }
    }
  }

  void retire() {
    worker_->end();
    worker_.reset();
  }

  void kill() {
    if (!worker_->kill()) {
      stuck_ = fmt::format(
          "process {} was killed and has not ended after {:g} s: it may still use the device, so "
          "that nothing more is measured",
          worker_->id(), kKilledSeconds);
    }
    worker_.reset();
  }

  Record timed_out(const Config& config, const Case& c, double seconds) {
    kill();
    std::string reason = fmt::format("took longer than {:g} s ({}) and was killed", seconds,
                                     options_.timeout ? "--timeout" : "the default of --timeout");
    if (!stuck_.empty()) reason += "; " + stuck_;
    return lost(config, c, Status::timeout, reason);
  }

  /// The record of a case that left none.
  [[nodiscard]] Record lost(const Config& config, const Case& c, Status status,
                            const std::string& reason) const {
    Record record;
    record.the_case = c;
    record.bytes = c.op->bytes_moved(c);
    record.repro = reproduction_line(c, config.path, repro_options(options_));
    fail(record, status, reason);
    return record;
  }

  const Options& options_;
  std::vector<std::string> configs_;  ///< their texts
  double start_seconds_ = 300;        ///< a driver may take its time, whatever a case may take
  Opened opened_;
  std::optional<Worker> worker_;
  std::string stuck_;  ///< why no further worker may be started
};

}  // namespace

double timeout_of(const Options& options, const Config& config) {
  // What a case may measure, and ample time to make its data and to verify it.
  constexpr double kBesides = 300;
  const auto timings =
      static_cast<double>(config.measure.modes.size() * config.measure.caches.size());
  return options.timeout.value_or(kBesides + timings * config.measure.max_seconds);
}

std::unique_ptr<Session> worker_session(const Options& options, const Selection& selection) {
  return std::make_unique<WorkerSession>(options, selection);
}

}  // namespace redux::cli
