// What is wrong with a config, collected so that all of it can be said at once.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "config/json.hpp"

namespace redux {

class Report {
 public:
  explicit Report(std::string path) : path_(std::move(path)) {}

  void fault(json::Place place, const std::string& pointer, const std::string& message);
  void fault(const json::Value& at, const std::string& message);
  /// Worth saying, but no fault. The same message is kept once, with its first place; of more than
  /// a hundred the first.
  void notice(const json::Value& at, const std::string& message);

  [[nodiscard]] bool clean() const { return faults_.empty(); }
  [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }
  /// Lines "file:line:column: /json/pointer: message" in the order of the text; beyond a hundred
  /// only their number.
  [[nodiscard]] std::vector<std::string> messages() const;

 private:
  struct Line {
    json::Place place;
    std::string text;
  };
  [[nodiscard]] std::string line(json::Place place, const std::string& pointer,
                                 const std::string& message) const;

  std::string path_;
  std::vector<Line> faults_;
  std::size_t not_kept_ = 0;
  std::unordered_set<std::string> seen_;  // one fault may be met once a dtype and once a data kind
  std::vector<std::string> notices_;
  std::unordered_set<std::string> noticed_;
};

}  // namespace redux
