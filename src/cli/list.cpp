// --list and --list-ops.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "cli/modes.hpp"
#include "cli/selection.hpp"
#include "core/registry.hpp"
#include "report/json.hpp"
#include "report/table.hpp"
#include "report/text.hpp"

namespace redux::cli {
namespace {

using report::Json;
using report::Table;

void print_notices(const Selection& selection) {
  for (const std::string& notice : selection.notices) {
    fmt::print(stderr, "redux-bench: note: {}\n", notice);
  }
}

Json op_json(const Op& op, const Registry& registry) {
  Json variants = Json::array();
  for (const Variant* variant : registry.variants(op.name)) {
    variants.push_back({{"name", variant->name},
                        {"backend", redux::name_of(variant->side)},
                        {"about", variant->about}});
  }
  Json dtypes = Json::array();
  for (const DType dtype : op.dtypes) dtypes.push_back(redux::name_of(dtype));
  return {{"op", op.name},
          {"about", op.about},
          {"dtypes", std::move(dtypes)},
          {"attributes", op.attributes},
          {"data_kinds", op.data_kinds},
          {"variants", std::move(variants)}};
}

Table op_table(const Op& op, const Registry& registry) {
  Table table{.title = op.name + ": " + op.about,
              .headers = {"variant", "backend", "what it does"},
              .rows = {},
              .left_aligned = 3};
  for (const Variant* variant : registry.variants(op.name)) {
    table.rows.push_back(
        {{variant->name}, {std::string(redux::name_of(variant->side))}, {variant->about}});
  }
  return table;
}

void print_op(const Op& op, const Registry& registry) {
  const auto variants = registry.variants(op.name);
  std::size_t width = 0;
  for (const Variant* variant : variants) width = std::max(width, variant->name.size());
  fmt::print("{}: {}\n", op.name, op.about);
  for (const Variant* variant : variants) {
    fmt::print("  {:<{}}  {}  {}\n", variant->name, width, redux::name_of(variant->side),
               variant->about);
  }
}

}  // namespace

ExitCode list(const Options& options) {
  const Selection selection = select(options);
  print_notices(selection);
  Json json = Json::array();
  Table table{
      .title = {}, .headers = {"case", "backend", "tags", "config"}, .rows = {}, .left_aligned = 4};
  for (const Config& config : selection.configs) {
    for (const Case& c : config.cases) {
      const std::string_view side = redux::name_of(c.variant->side);
      switch (options.format) {
        case Format::text:
          fmt::print("{}\n", report::printable(c.id()));
          break;
        case Format::json:
          json.push_back({{"id", c.id()},
                          {"backend", side},
                          {"tags", c.tags},
                          {"seed", c.seed},
                          {"config", config.name}});
          break;
        case Format::markdown:
          table.rows.push_back({{c.id()},
                                {std::string(side)},
                                {fmt::format("{}", fmt::join(c.tags, ", "))},
                                {config.name}});
          break;
      }
    }
  }
  if (options.format == Format::json) fmt::print("{}\n", report::pretty_text_of(json));
  if (options.format == Format::markdown) fmt::print("{}", report::markdown_text(table));
  return ExitCode::ok;
}

ExitCode list_ops(const Options& options) {
  const Registry& registry = registry_of(options);
  Json json = Json::array();
  for (const Op* op : registry.ops()) {
    switch (options.format) {
      case Format::text:
        print_op(*op, registry);
        break;
      case Format::json:
        json.push_back(op_json(*op, registry));
        break;
      case Format::markdown:
        fmt::print("{}\n", report::markdown_text(op_table(*op, registry)));
        break;
    }
  }
  if (options.format == Format::json) fmt::print("{}\n", report::pretty_text_of(json));
  return ExitCode::ok;
}

}  // namespace redux::cli
