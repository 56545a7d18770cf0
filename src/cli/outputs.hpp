// The files that a run writes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "cli/earlier.hpp"
#include "cli/options.hpp"
#include "cli/selection.hpp"
#include "report/gbench.hpp"
#include "report/json.hpp"
#include "report/output_file.hpp"

namespace redux::cli {

/// Opened before the first case, so that a bad path costs nothing. The results file grows case by
/// case; the tables are written at the end.
class Outputs {
 public:
  /// Throws Failure(usage): a path that cannot be written, or that is a config, a data file of a
  /// case or another output.
  Outputs(const Options& options, const Selection& selection, report::RunFacts facts);
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;
  ~Outputs();

  /// What the file of --resume holds; null without it, and where there is no such file yet. Throws
  /// Failure, as Earlier does, where it is of another machine, config, binary or selection.
  const Earlier* continue_earlier(const Selection& selection);

  /// All of these throw Failure(not_measured) where a write fails; what was written before stays
  /// valid. Starting the first segment fails with ExitCode::usage: nothing is lost yet.
  void begin_segment(const Config& config, std::size_t cases_in_all_shards,
                     const Ceilings& ceilings);
  void add(const Record& record);
  void end_segment(bool complete, const Ceilings& ceilings);
  /// Ends a segment that is still open as incomplete and puts the results in their place.
  void finish(const Ceilings& ceilings);
  void write_reports(const Ceilings& ceilings, std::span<const Record> records);

  void set_environment(Environment environment) { facts_.environment = std::move(environment); }

 private:
  void write_line(const report::Json& json);
  void cut_torn_line();

  report::RunFacts facts_;
  std::string resume_;  ///< the file to be continued; empty where none is
  std::optional<Earlier> earlier_;
  std::unique_ptr<report::OutputFile> results_;
  std::unique_ptr<report::OutputFile> csv_;
  std::unique_ptr<report::OutputFile> markdown_;
  std::unique_ptr<report::OutputFile> gbench_;
  report::GbenchFlavour gbench_flavour_;
  report::Counts counts_;
  bool started_ = false;
  bool open_ = false;
};

}  // namespace redux::cli
