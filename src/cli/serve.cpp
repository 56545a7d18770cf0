// The worker's side: it does what its supervisor asks for, until that hangs up.
#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "cli/modes.hpp"
#include "cli/selection.hpp"
#include "cli/session.hpp"
#include "cli/worker_messages.hpp"
#include "report/read_json.hpp"
#include "worker/channel.hpp"
#include "worker/process.hpp"

namespace redux::cli {
namespace {

using report::Json;

/// Built by the first question, which brings the texts of the configs.
class Worker {
 public:
  explicit Worker(Options options) : options_(std::move(options)) {}

  Json answer(const Json& question) {
    const auto& what = question.at(message::kDo).get_ref<const std::string&>();
    if (what == message::kOpen) return open(question);
    Ceilings ceilings = report::ceilings_from_json(question.at(message::kCeilings));
    if (what == message::kCeilings) {
      const bool host = question.at("side") == name_of(Side::host);
      session_->measure_ceilings(host ? Side::host : Side::cuda, ceilings);
      return {{message::kCeilings, report::ceilings_json(ceilings)}};
    }
    const auto [config, c] = cases_.at(question.at("id").get<std::string>());
    const Record record = session_->run(*config, *c, ceilings);
    return {{"record", report::case_json(record)},
            {message::kCeilings, report::ceilings_json(ceilings)},
            {"spent", spent()}};
  }

  [[nodiscard]] bool spent() const { return session_ != nullptr && session_->spent(); }

 private:
  Json open(const Json& question) {
    question.at("configs").get_to(options_.config_texts);
    selection_ = select(options_);
    for (const Config& config : selection_.configs) {
      for (const Case& c : config.cases) cases_.try_emplace(c.id(), &config, &c);
    }
    session_ = local_session(options_, selection_);
    const Opened opened = session_->open();
    return {{"environment", report::environment_json(opened.environment)},
            {"without_cuda", opened.without_cuda}};
  }

  Options options_;
  Selection selection_;
  std::unordered_map<std::string, std::pair<const Config*, const Case*>> cases_;
  std::unique_ptr<Session> session_;
};

Json failure_json(ExitCode code, const std::string& text) {
  return {{"failure", static_cast<int>(code)}, {"message", text}};
}

}  // namespace

ExitCode serve(const Options& options) {
  worker::live_and_die_with_parent();
  if (::fcntl(*options.worker_channel, F_GETFD) < 0) {
    throw Failure(ExitCode::usage,
                  "--worker-channel " + std::to_string(*options.worker_channel) +
                      ": is no open descriptor; the option is how a run tells its worker processes "
                      "where to answer");
  }
  worker::Channel channel(*options.worker_channel);
  Worker worker(options);
  std::string line;
  while (channel.receive(line, std::nullopt) == worker::Got::line) {
    Json answer;
    try {
      answer = worker.answer(Json::parse(line));
    } catch (const Failure& failure) {
      answer = failure_json(failure.code(), failure.what());
    } catch (const std::exception& error) {
      answer = failure_json(ExitCode::not_measured, error.what());
    }
    if (!channel.send(report::text_of(answer))) break;
  }
  // With a lost device or damaged memory, tidying up could hang or crash.
  if (worker.spent()) ::_exit(0);
  return ExitCode::ok;
}

}  // namespace redux::cli
