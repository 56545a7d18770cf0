#include "core/case.hpp"

#include "core/op.hpp"
#include "core/variant.hpp"

namespace redux {
namespace {

std::string base_name(const std::string& path) {
  const auto slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string tail_of(const Case& c) {
  std::string text = "/";
  text += name_of(c.dtype);
  text += "/";
  text += c.shape.text();
  const Attributes& defaults = c.op->defaults;
  const auto add = [&text](std::string_view key, std::string_view value) {
    text += "/";
    text += key;
    text += "=";
    text += value;
  };
  // -1 and rank - 1 are one axis; a case has one id however its config spelt it.
  const auto rank = c.shape.dims.size();
  const auto axis = normalise_axis(c.attributes.axis, rank);
  if (axis != normalise_axis(defaults.axis, rank)) {
    add("axis", std::to_string(axis.value_or(c.attributes.axis)));
  }
  if (c.data == "file") {
    add("data", base_name(c.data_file));
  } else if (c.data != "random") {
    add("data", c.data);
  }
  if (c.attributes.nan != defaults.nan) add("nan", name_of(c.attributes.nan));
  if (c.attributes.empty != defaults.empty) add("empty", name_of(c.attributes.empty));
  if (c.attributes.index != defaults.index) add("index", name_of(c.attributes.index));
  return text;
}

}  // namespace

std::string Case::id() const {
  return op->name + "/" + variant->name + tail_of(*this);
}

std::string Case::problem_id() const {
  return op->name + tail_of(*this);
}

}  // namespace redux
