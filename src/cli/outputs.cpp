#include "cli/outputs.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/interrupt.hpp"
#include "core/status.hpp"
#include "report/csv.hpp"
#include "report/markdown.hpp"
#include "report/text.hpp"

namespace redux::cli {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  const fs::path left = fs::weakly_canonical(fs::absolute(a), error);
  return left == fs::weakly_canonical(fs::absolute(b), error);
}

void refuse_clashes(const Options& options, const Selection& selection) {
  using Named = std::pair<std::string, std::string>;
  const bool resumes = !options.resume.empty();
  const std::array<Named, 4> outputs{
      {{resumes ? "--resume" : "--output", resumes ? options.resume : options.output},
       {"--csv", options.csv},
       {"--markdown", options.markdown},
       {"--gbench", options.gbench}}};
  std::vector<Named> taken;
  for (const Config& config : selection.configs) {
    taken.emplace_back("the config", config.path);
    std::string latest;
    for (const Case& c : config.cases) {
      if (c.data_file.empty() || c.data_file == latest) continue;
      latest = c.data_file;
      taken.emplace_back("an input of " + config.path, latest);
    }
  }
  for (const Named& output : outputs) {
    if (output.second.empty()) continue;
    for (const Named& other : taken) {
      if (!same_file(output.second, other.second)) continue;
      throw Failure(ExitCode::usage, output.first + " '" + output.second + "': is also " +
                                         other.first + " ('" + other.second +
                                         "'); give a path of its own");
    }
    taken.push_back(output);
  }
}

}  // namespace

Outputs::Outputs(const Options& options, const Selection& selection, report::RunFacts facts)
    : facts_(std::move(facts)),
      gbench_flavour_(options.gbench_rows == GbenchRows::median
                          ? report::GbenchFlavour::median
                          : report::GbenchFlavour::repetitions) {
  refuse_clashes(options, selection);
  if (!options.resume.empty() && !options.output.empty() &&
      !same_file(options.resume, options.output)) {
    throw Failure(ExitCode::usage, "--output '" + options.output +
                                       "': is not the file of --resume ('" + options.resume +
                                       "'), which is continued in place; leave out --output");
  }
  std::error_code ignored;
  if (fs::exists(options.resume, ignored)) resume_ = options.resume;
  const auto open = [this](const char* option, const std::string& path) {
    return path.empty() ? nullptr
                        : std::make_unique<report::OutputFile>(option, path, facts_.run_id);
  };
  if (!resume_.empty()) {
    results_ = std::make_unique<report::OutputFile>("--resume", resume_, facts_.run_id, true);
  } else if (!options.resume.empty()) {
    results_ = open("--resume", options.resume);
  } else {
    results_ = open("--output", options.output);
  }
  csv_ = open("--csv", options.csv);
  markdown_ = open("--markdown", options.markdown);
  gbench_ = open("--gbench", options.gbench);
}

// Where an exception ends the run, the finished cases still become a valid file.
Outputs::~Outputs() {
  try {
    if (open_) finish({});
  } catch (const std::exception& error) {
    std::fputs((std::string("redux-bench: ") + error.what() + "\n").c_str(), stderr);
  }
  Interrupt::on_second_signal(nullptr, {});
}

const Earlier* Outputs::continue_earlier(const Selection& selection) {
  if (resume_.empty()) return nullptr;
  earlier_.emplace(resume_);
  for (const Config& config : selection.configs) {
    earlier_->check(report::run_json(facts_, config, selection.in_all_shards_of(config), {}));
  }
  if (!earlier_->run_id().empty()) facts_.run_id = earlier_->run_id();
  return &*earlier_;
}

void Outputs::cut_torn_line() {
  if (!earlier_ || !earlier_->torn()) return;
  try {
    results_->cut_to(earlier_->whole_bytes());
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::usage, error.what());
  }
}

void Outputs::write_line(const report::Json& json) {
  if (results_ == nullptr) return;
  try {
    results_->append(report::text_of(json) + "\n");
  } catch (const std::runtime_error& error) {
    if (!started_) throw Failure(ExitCode::usage, error.what());
    // The disk is full: what is there stays, beside an earlier good file if there is one.
    Interrupt::on_second_signal(nullptr, {});
    results_->keep();
    open_ = false;
    throw Failure(
        ExitCode::not_measured,
        std::string(error.what()) + "; the cases before are in '" + results_->location() + "'");
  }
  Interrupt::end_if_asked_twice();
}

void Outputs::begin_segment(const Config& config, std::size_t cases_in_all_shards,
                            const Ceilings& ceilings) {
  if (!started_) cut_torn_line();
  write_line(report::run_json(facts_, config, cases_in_all_shards, ceilings));
  if (results_ != nullptr) results_->publish_if_new();
  started_ = true;
  open_ = true;
  counts_ = {};
  Interrupt::on_second_signal(
      results_.get(),
      report::text_of(report::end_json(counts_, false, report::utc_now(), ceilings)) + "\n");
}

void Outputs::add(const Record& record) {
  write_line(report::case_json(record));
  counts_.add(record.status);
  Interrupt::on_second_signal(
      results_.get(),
      report::text_of(report::end_json(counts_, false, report::utc_now(), {})) + "\n");
}

void Outputs::end_segment(bool complete, const Ceilings& ceilings) {
  // From here on the segment has its last line: a second signal adds none.
  Interrupt::on_second_signal(results_.get(), {});
  open_ = false;
  write_line(report::end_json(counts_, complete, report::utc_now(), ceilings));
}

void Outputs::finish(const Ceilings& ceilings) {
  if (open_) end_segment(false, ceilings);
  Interrupt::on_second_signal(nullptr, {});
  if (results_ == nullptr || !started_) return;
  try {
    results_->publish();
  } catch (const std::runtime_error& error) {
    results_->keep();
    throw Failure(ExitCode::not_measured, error.what());
  }
}

void Outputs::write_reports(const Ceilings& ceilings, std::span<const Record> records) {
  try {
    if (csv_ != nullptr) {
      csv_->append(report::csv_text(records));
      csv_->publish();
    }
    if (markdown_ != nullptr) {
      markdown_->append(report::markdown_report(facts_, ceilings, records));
      markdown_->publish();
    }
    if (gbench_ != nullptr) {
      const report::Json json = report::gbench_json(facts_, records, gbench_flavour_);
      gbench_->append(report::pretty_text_of(json) + "\n");
      gbench_->publish();
    }
  } catch (const std::runtime_error& error) {
    throw Failure(ExitCode::not_measured, error.what());
  }
}

}  // namespace redux::cli
