// Which cases of which configs are meant.
#pragma once

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

  [[nodiscard]] std::size_t size() const;
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

/// Drops the cases of one side. Throws nothing; the caller looks at size().
/// By what factor --handicap slows a case down: that of the last match, 1 for the others. Empty
/// without the option; one that matches no case gets a notice. Throws Failure(usage) for a bad
/// regex.
std::function<double(const std::string&)> handicap_of(const Options& options, Selection& selection);

void drop_side(Selection& selection, Side side);

}  // namespace redux::cli
