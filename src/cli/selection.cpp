#include "cli/selection.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <regex>
#include <set>
#include <utility>

#include "backend/backend.hpp"
#include "config/parse.hpp"
#include "core/op.hpp"
#include "core/status.hpp"
#include "data/graph.hpp"

namespace redux::cli {
namespace {

std::vector<Config> load_all(const Options& options, const Registry& registry) {
  std::vector<Config> configs;
  std::vector<std::string> faults;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < options.configs.size(); ++i) {
    const std::string& path = options.configs[i];
    if (!seen.insert(path).second) {
      faults.push_back(path + ": given twice with --config");
      continue;
    }
    try {
      configs.push_back(options.config_texts.empty()
                            ? load_config(path, registry)
                            : parse_config(options.config_texts.at(i), path, registry));
    } catch (const ConfigError& error) {
      faults.insert(faults.end(), error.messages().begin(), error.messages().end());
    } catch (const Failure& error) {
      faults.emplace_back(error.what());
    }
  }
  if (!faults.empty()) throw ConfigError(faults);
  return configs;
}

/// Degrees of a generated graph may depend on the seed, so the number of edges, too.
void resize_graphs(Config& config) {
  std::map<std::string, std::int64_t> edges;
  for (Case& c : config.cases) {
    if (c.shape.graph.empty() || !c.graph.file.empty()) continue;
    const auto [known, fresh] = edges.try_emplace(c.shape.graph);
    if (fresh) known->second = graph_extents(c.graph, c.seed).edges;
    c.shape.dims[1] = known->second;
    const std::string fault = c.op->check(c);
    if (!fault.empty()) throw Failure(ExitCode::usage, config.path + ": " + c.id() + ": " + fault);
  }
}

void apply_overrides(Config& config, const Options& options) {
  MeasureSettings& measure = config.measure;
  measure.min_samples = options.min_samples.value_or(measure.min_samples);
  measure.max_samples = options.max_samples.value_or(measure.max_samples);
  measure.max_seconds = options.max_seconds.value_or(measure.max_seconds);
  if (measure.min_samples > measure.max_samples) {
    const bool max_given = options.max_samples.has_value();
    throw Failure(ExitCode::usage,
                  config.path + ": min_samples " + std::to_string(measure.min_samples) +
                      (max_given ? " of the config" : " (--min-samples)") +
                      " is above max_samples " + std::to_string(measure.max_samples) +
                      (max_given ? " (--max-samples); give --min-samples too"
                                 : " of the config; give --max-samples too"));
  }
  if (options.seed) {
    for (Case& c : config.cases) c.seed = *options.seed;
    resize_graphs(config);
  }
}

/// Equal ids of several configs run once, for the first.
void merge(Selection& selection) {
  std::map<std::string, const Config*> owner;
  for (Config& config : selection.configs) {
    std::size_t dropped = 0;
    std::string example;
    std::erase_if(config.cases, [&](const Case& c) {
      const auto [entry, added] = owner.try_emplace(c.id(), &config);
      if (added || entry->second == &config) return false;
      if (dropped++ == 0) example = c.id() + " in " + entry->second->path;
      return true;
    });
    if (dropped > 0) {
      selection.notices.push_back(config.path + ": " + std::to_string(dropped) +
                                  " of its cases are in an earlier config too and run once (" +
                                  example + ")");
    }
  }
}

std::optional<std::regex> regex_of(const char* option, const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  try {
    return std::regex(*text, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    throw Failure(ExitCode::usage,
                  std::string(option) + ": '" + *text +
                      "' is not a regular expression (ECMAScript): " + error.what());
  }
}

}  // namespace

std::size_t Selection::size() const {
  return std::accumulate(
      configs.begin(), configs.end(), std::size_t{0},
      [](std::size_t sum, const Config& config) { return sum + config.cases.size(); });
}

std::size_t Selection::in_all_shards_of(const Config& config) const {
  const auto& sides = in_all_shards.at(static_cast<std::size_t>(&config - configs.data()));
  return sides.front() + sides.back();
}

bool Selection::has(Side side) const {
  return std::ranges::any_of(configs, [side](const Config& config) {
    return std::ranges::any_of(config.cases,
                               [side](const Case& c) { return c.variant->side == side; });
  });
}

const Registry& registry_of(const Options& options) {
  return options.backend == BackendChoice::simt ? simt_registry() : Registry::instance();
}

Selection select(const Options& options) {
  const auto filter = regex_of("--filter", options.filter);
  const auto exclude = regex_of("--exclude", options.exclude);
  Selection selection;
  selection.configs = load_all(options, registry_of(options));
  for (Config& config : selection.configs) {
    apply_overrides(config, options);
    selection.notices.insert(selection.notices.end(), config.notices.begin(), config.notices.end());
  }
  merge(selection);
  const std::size_t all = selection.size();
  if (options.backend == BackendChoice::host) {
    drop_side(selection, Side::cuda);
  } else if (options.backend != BackendChoice::automatic) {
    drop_side(selection, Side::host);
  }
  std::uint64_t position = 0;
  for (Config& config : selection.configs) {
    auto& in_all_shards = selection.in_all_shards.emplace_back();
    std::erase_if(config.cases, [&](const Case& c) {
      const std::string id = c.id();
      if (filter && !std::regex_search(id, *filter)) return true;
      if (exclude && std::regex_search(id, *exclude)) return true;
      ++in_all_shards.at(static_cast<std::size_t>(c.variant->side));
      if (!options.shard) return false;
      return position++ % options.shard->count != options.shard->index - 1;
    });
  }
  if (selection.size() == 0) {
    std::string by;
    const auto add = [&by](const std::string& text) { by += (by.empty() ? "" : ", ") + text; };
    if (options.filter) add("--filter '" + *options.filter + "'");
    if (options.exclude) add("--exclude '" + *options.exclude + "'");
    if (options.backend != BackendChoice::automatic) {
      add(std::string("--backend ") + name_of(options.backend));
    }
    if (options.shard) add("--shard " + options.shard_text);
    throw Failure(ExitCode::nothing_selected, "no case matches: " + by + (by.empty() ? "" : " ") +
                                                  "leaves none of " + std::to_string(all) +
                                                  " cases; --list shows their ids");
  }
  return selection;
}

std::function<double(const std::string&)> handicap_of(const Options& options) {
  if (options.handicaps.empty()) return {};
  std::vector<std::pair<std::regex, double>> rules;
  for (const Handicap& handicap : options.handicaps) {
    rules.emplace_back(*regex_of("--handicap", handicap.match), handicap.factor);
  }
  return [rules = std::move(rules)](const std::string& id) {
    double factor = 1;
    for (const auto& [match, by] : rules) {
      if (std::regex_search(id, match)) factor = by;
    }
    return factor;
  };
}

void note_handicaps(const Options& options, Selection& selection) {
  for (const Handicap& handicap : options.handicaps) {
    const auto match = regex_of("--handicap", handicap.match);
    const bool used = std::ranges::any_of(selection.configs, [&match](const Config& config) {
      return std::ranges::any_of(
          config.cases, [&match](const Case& c) { return std::regex_search(c.id(), *match); });
    });
    // No error: a part of the cases may hold none of them.
    if (!used) {
      selection.notices.push_back("--handicap: '" + handicap.match + "' matches no selected case");
    }
  }
  if (!options.handicaps.empty()) {
    selection.notices.emplace_back(
        "--handicap: cases are slowed down on purpose, no baseline can be made of these results");
  }
}

void drop_side(Selection& selection, Side side) {
  for (auto& sides : selection.in_all_shards) sides.at(static_cast<std::size_t>(side)) = 0;
  for (Config& config : selection.configs) {
    std::erase_if(config.cases, [side](const Case& c) { return c.variant->side == side; });
  }
}

}  // namespace redux::cli
