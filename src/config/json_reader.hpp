// The characters of a JSON text, one after the other, with their places: blanks, comments and
// strings, which need no notion of values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"

namespace redux::json {

struct Stop {};  ///< thrown where the text cannot be understood further; the fault is noted already

class Reader {
 public:
  Reader(std::string_view text, std::vector<Fault>& faults) : text_(text), faults_(&faults) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] Place place() const { return place_; }
  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] std::string_view since(std::size_t offset) const {
    return text_.substr(offset, at_ - offset);
  }
  /// The next character as a message names it.
  [[nodiscard]] std::string here() const;

  char take();
  /// Takes the word if it is next.
  bool take_word(std::string_view word);
  void skip_blanks(const std::string& pointer);
  /// What a string means, from its opening quote to its closing one.
  std::string string(const std::string& pointer);

  void fault(Place place, const std::string& pointer, std::string message);
  [[noreturn]] void stop(Place place, const std::string& pointer, std::string message);

 private:
  void skip_comment(const std::string& pointer);
  void escape(std::string& result, Place place, const std::string& pointer);
  std::uint32_t code_point(Place place, const std::string& pointer);
  std::uint32_t four_digits(Place place, const std::string& pointer);

  std::string_view text_;
  std::vector<Fault>* faults_;
  std::size_t at_ = 0;
  Place place_;
};

}  // namespace redux::json
