// Which cases of which configs are meant.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "config/config.hpp"
#include "core/registry.hpp"

namespace redux::cli {

struct Selection {
  std::vector<Config> configs;  ///< each with its selected cases alone; variants stay adjacent
  std::vector<std::string> notices;
  /// Of each config, by side, what is selected in all shards together.
  std::vector<std::array<std::size_t, 2>> in_all_shards;

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t in_all_shards_of(const Config& config) const;
  [[nodiscard]] bool has(Side side) const;
};

/// The ops and variants that configs choose from: of --backend simt its own. Throws
/// Failure(environment) where this build does not have them.
const Registry& registry_of(const Options& options);

/// Loads every config, applies the overrides of the command line, drops the cases that an earlier
/// config has already and then those that --backend, --filter, --exclude and --shard leave out.
/// Throws ConfigError with the faults of all configs, Failure(usage) for a bad regex or
/// contradicting overrides, Failure(nothing_selected) where no case is left, and as registry_of().
Selection select(const Options& options);

/// By what factor --handicap slows a case down: that of the last match, 1 for the others. Empty
/// without the option. Throws Failure(usage) for a bad regex.
std::function<double(const std::string&)> handicap_of(const Options& options);
/// Adds a notice that there is a handicap, and one for each that matches no case.
void note_handicaps(const Options& options, Selection& selection);

/// Drops the cases of one side. Throws nothing; the caller looks at size().
void drop_side(Selection& selection, Side side);

}  // namespace redux::cli
