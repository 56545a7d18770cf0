#include "core/graph.hpp"

namespace redux {
namespace {

std::string stem_of(const std::string& path) {
  const auto slash = path.find_last_of('/');
  const std::string base = slash == std::string::npos ? path : path.substr(slash + 1);
  const auto dot = base.find_last_of('.');
  return dot == std::string::npos || dot == 0 ? base : base.substr(0, dot);
}

}  // namespace

std::string GraphSource::name() const {
  if (!file.empty()) return stem_of(file);
  std::string text = kind;
  text += '-';
  text += std::to_string(nodes);
  text += edges ? "-e" : "-";
  text += std::to_string(edges.value_or(degree));
  if (share) {
    text += "-s";
    text += std::to_string(*share);
  }
  if (local) text += "-local";
  return text;
}

}  // namespace redux
