#pragma once

#include <string>

#include "core/case.hpp"

namespace redux::cumminmax {

/// Why a scan cannot be asked for along the case's axis, or empty.
inline std::string check_axis(const Case& c) {
  const auto rank = c.shape.dims.size();
  if (rank == 0) return "the shape has no axis to scan";
  if (normalise_axis(c.attributes.axis, rank)) return {};
  return "axis " + std::to_string(c.attributes.axis) + " is outside [-" + std::to_string(rank) +
         ", " + std::to_string(rank) + ") of a shape of rank " + std::to_string(rank);
}

}  // namespace redux::cumminmax
