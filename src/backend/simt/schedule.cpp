#include "backend/simt/schedule.hpp"

#include <charconv>

namespace redux::simt {

std::string name_of(const Schedule& schedule) {
  switch (schedule.order) {
    case Order::ascending:
      return "in-order";
    case Order::descending:
      return "reverse";
    case Order::random:
      break;
  }
  return "random:" + std::to_string(schedule.seed);
}

std::optional<Schedule> schedule_of(std::string_view name) {
  if (name == "in-order") return Schedule{Order::ascending};
  if (name == "reverse") return Schedule{Order::descending};
  constexpr std::string_view kRandom = "random:";
  if (!name.starts_with(kRandom)) return std::nullopt;
  const std::string_view digits = name.substr(kRandom.size());
  Schedule schedule{Order::random};
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), schedule.seed);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return schedule;
}

DeviceFacts simulated_device(int multiprocessors, int threads_per_multiprocessor) {
  DeviceFacts facts;
  facts.name = "simulated, " + std::to_string(multiprocessors) + " multiprocessors";
  facts.compute_major = 9;
  facts.multiprocessors = multiprocessors;
  facts.max_threads_per_multiprocessor = threads_per_multiprocessor;
  facts.shared_bytes_per_block = 232448;
  facts.l2_bytes = std::size_t{60} << 20U;
  facts.memory_bytes = std::size_t{141} << 30U;
  return facts;
}

}  // namespace redux::simt
