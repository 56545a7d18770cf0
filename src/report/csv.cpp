#include "report/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "report/json.hpp"
#include "report/text.hpp"

namespace redux::report {
namespace {

struct Column {
  std::string_view name;
  std::string_view pointer;  ///< into the case's JSON, or the timing's
  bool of_timing = false;
};

constexpr std::array kColumns{
    Column{"id", "/id"},
    Column{"op", "/op"},
    Column{"variant", "/variant"},
    Column{"backend", "/backend"},
    Column{"dtype", "/dtype"},
    Column{"shape", "/shape"},
    Column{"graph", "/graph"},
    Column{"attrs", "/attrs"},
    Column{"data", "/data"},
    Column{"seed", "/seed"},
    Column{"compare_to", "/compare_to"},
    Column{"tags", "/tags"},
    Column{"status", "/status"},
    Column{"reason", "/reason"},
    Column{"mode", "/mode", true},
    Column{"cache", "/cache", true},
    Column{"calls_per_sample", "/calls_per_sample", true},
    Column{"n", "/n", true},
    Column{"median_us", "/median_us", true},
    Column{"mad_us", "/mad_us", true},
    Column{"min_us", "/min_us", true},
    Column{"p95_us", "/p95_us", true},
    Column{"ci95_low_us", "/ci95_us/0", true},
    Column{"ci95_high_us", "/ci95_us/1", true},
    Column{"converged", "/converged", true},
    Column{"invalid_samples", "/invalid_samples", true},
    Column{"throttled_samples", "/throttled_samples", true},
    Column{"bytes", "/bytes"},
    Column{"gbps", "/gbps"},
    Column{"ceiling_share", "/ceiling_share"},
    Column{"gathered_bytes", "/gathered_bytes"},
    Column{"gather_gbps", "/gather_gbps"},
    Column{"launch_bound", "/launch_bound"},
    Column{"grid", "/launch/grid"},
    Column{"block", "/launch/block"},
    Column{"cluster", "/launch/cluster"},
    Column{"shared_bytes", "/launch/shared_bytes"},
    Column{"static_shared_bytes", "/launch/static_shared_bytes"},
    Column{"registers", "/launch/registers"},
    Column{"occupancy", "/launch/occupancy"},
    Column{"waves", "/launch/waves"},
    Column{"kernels", "/launch/kernels"},
    Column{"memsets", "/launch/memsets"},
    Column{"picked", "/launch/picked"},
    Column{"workspace_bytes", "/workspace_bytes"},
    Column{"checked", "/verify/checked"},
    Column{"mismatches", "/verify/mismatches"},
    Column{"first_output", "/verify/first/output"},
    Column{"first_position", "/verify/first/position"},
    Column{"first_got", "/verify/first/got"},
    Column{"first_expected", "/verify/first/expected"},
    Column{"repro", "/repro"},
};

bool is_number(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto done = std::from_chars(text.data(), text.data() + text.size(), value);
  return done.ec == std::errc{} && done.ptr == text.data() + text.size();
}

/// Whether a spreadsheet may take the text for a formula: by its first character, in the full width
/// of East Asian scripts too, or by what is left when it drops a blank character there.
bool starts_formula(std::string_view text) {
  constexpr std::array<std::string_view, 11> kStarts{
      "=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};
  return std::ranges::any_of(kStarts, [text](auto start) { return text.starts_with(start); });
}

/// Extents joined with "x", other lists with spaces, attributes as "key=value key=value".
std::string flat(const Json& value) {
  if (value.is_null()) return {};
  if (value.is_string()) {
    // Through the writer, so that bytes which are not UTF-8 are replaced here as in the JSON.
    return Json::parse(text_of(value)).get<std::string>();
  }
  if (value.is_number_float()) return shortest(value.get<double>());
  if (!value.is_structured()) return text_of(value);
  std::string text;
  for (const auto& [key, entry] : value.items()) {
    if (!text.empty()) text += entry.is_number() && value.is_array() ? "x" : " ";
    if (value.is_object()) text += key + "=";
    text += flat(entry);
  }
  return text;
}

std::string row_text(const Json& the_case, const Json* timing) {
  std::string row;
  for (const Column& column : kColumns) {
    if (!row.empty()) row += ',';
    const Json* source = column.of_timing ? timing : &the_case;
    const Json::json_pointer pointer{std::string(column.pointer)};
    if (source != nullptr && source->contains(pointer)) row += csv_cell(flat(source->at(pointer)));
  }
  return row + "\r\n";
}

}  // namespace

std::string csv_cell(std::string_view text) {
  std::string cell(text);
  if (starts_formula(cell) && !is_number(cell)) cell.insert(cell.begin(), '\'');
  if (cell.find_first_of("\",\r\n'") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char byte : cell) {
    if (byte == '"') quoted += '"';
    quoted += byte;
  }
  return quoted + '"';
}

std::string csv_header() {
  std::string row;
  for (const Column& column : kColumns) {
    if (!row.empty()) row += ',';
    row += column.name;
  }
  return row + "\r\n";
}

std::string csv_text(std::span<const Record> records) {
  std::string text = csv_header();
  for (const Record& record : records) {
    Json the_case = case_json(record);
    const Json timings = the_case["timings"];
    if (timings.empty()) text += row_text(the_case, nullptr);
    // The case's bandwidth is that of its first cold timing; no other row may seem to have it.
    bool bandwidth_shown = false;
    const Json gbps = the_case["gbps"];
    const Json share = the_case["ceiling_share"];
    const Json gather = the_case.value("gather_gbps", Json(nullptr));
    for (const Json& timing : timings) {
      const bool own = !bandwidth_shown && timing["cache"] == "cold";
      bandwidth_shown = bandwidth_shown || own;
      the_case["gbps"] = own ? gbps : Json(nullptr);
      the_case["ceiling_share"] = own ? share : Json(nullptr);
      the_case["gather_gbps"] = own ? gather : Json(nullptr);
      text += row_text(the_case, &timing);
    }
  }
  return text;
}

}  // namespace redux::report
