#include "backend/simt/position.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <sstream>
#include <string_view>

namespace redux::simt {
namespace {

/// What a program prints, or nothing if it could not be run. No shell is involved.
std::string output_of(const std::vector<std::string>& words) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  std::string text;
  if (error == 0) {
    std::array<char, 4096> part{};
    for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;) {
      text.append(part.data(), static_cast<std::size_t>(n));
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    if (status != 0) text.clear();
  }
  ::close(ends[0]);
  return text;
}

bool is_executors(std::string_view path) {
  return path.find("backend/simt/") != std::string_view::npos;
}

/// "/a/b/scan.cuh:88" or "(inlined by) f() at /a/b/scan.cuh:88" -> "scan.cuh:88"; empty for lines
/// that say nothing or lie in the executor.
std::string short_line(std::string_view line) {
  if (const auto at = line.rfind(" at "); at != std::string_view::npos) line.remove_prefix(at + 4);
  if (const auto note = line.find(" (discriminator"); note != std::string_view::npos) {
    line = line.substr(0, note);
  }
  if (line.find('?') != std::string_view::npos || is_executors(line)) return {};
  for (const char* library : {"/include/c++/", "/boost/"}) {
    if (line.find(library) != std::string_view::npos) return {};
  }
  const auto slash = line.rfind('/');
  std::string text(slash == std::string_view::npos ? line : line.substr(slash + 1));
  // addr2line (binutils 2.40) may give a .cu file's line under the name of the .cpp around it.
  constexpr std::string_view kWrapped = ".cu.cpp:";
  if (const auto at = text.find(kWrapped); at != std::string::npos) text.erase(at + 3, 4);
  return text;
}

struct Located {
  std::string module;
  std::uintptr_t offset = 0;
};

Located locate(const void* address) {
  // One back: a return address may already belong to the next line.
  const auto* call = static_cast<const char*>(address) - 1;
  Dl_info info{};
  if (::dladdr(call, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code ignored;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  const auto base = reinterpret_cast<std::uintptr_t>(info.dli_fbase);
  const bool shared = std::string_view(info.dli_fname).find(".so") != std::string_view::npos;
  return {shared ? info.dli_fname : self.string(), reinterpret_cast<std::uintptr_t>(call) - base};
}

}  // namespace

std::vector<const void*> call_stack(Frame frame, const void* begin, const void* end) {
  std::vector<const void*> stack;
  const auto inside = [&](Frame f) {
    const auto* p = static_cast<const void*>(f);
    return p >= begin && p < static_cast<const char*>(end) - (2 * sizeof(void*)) &&
           reinterpret_cast<std::uintptr_t>(p) % sizeof(void*) == 0;
  };
  while (inside(frame) && stack.size() < 32) {
    stack.push_back(frame[1]);
    const auto* const next = static_cast<Frame>(frame[0]);
    if (next <= frame) break;
    frame = next;
  }
  return stack;
}

std::vector<std::string> lines_of(const std::vector<const void*>& addresses) {
  static std::map<const void*, std::string> known;
  std::map<std::string, std::vector<const void*>> by_module;
  for (const void* address : addresses) {
    if (known.contains(address)) continue;
    const Located located = locate(address);
    known[address] = fmt::format(
        "{}+{:#x}", std::filesystem::path(located.module).filename().string(), located.offset);
    if (!located.module.empty()) by_module[located.module].push_back(address);
  }
  for (const auto& entry : by_module) {
    const std::string& module = entry.first;
    const std::vector<const void*>& wanted = entry.second;
    std::vector<std::string> words{"addr2line", "-a", "-i", "-e", module};
    for (const void* address : wanted) {
      words.push_back(fmt::format("{:#x}", locate(address).offset));
    }
    std::istringstream text(output_of(words));
    // "0x..." starts an address; the lines behind it are its chain, innermost first.
    std::size_t at = 0;
    std::string chain;
    const auto close = [&] {
      if (at > 0 && at <= wanted.size()) known[wanted[at - 1]] = chain;
      chain.clear();
    };
    for (std::string line; std::getline(text, line);) {
      if (line.starts_with("0x")) {
        close();
        ++at;
      } else if (const std::string place = short_line(line); !place.empty()) {
        chain += (chain.empty() ? "" : ", called at ") + place;
      }
    }
    close();
  }
  std::vector<std::string> lines;
  lines.reserve(addresses.size());
  for (const void* address : addresses) lines.push_back(known[address]);
  return lines;
}

std::string text_of_stack(const std::vector<const void*>& stack) {
  std::string text;
  for (const std::string& line : lines_of(stack)) {
    if (!line.empty()) text += (text.empty() ? "" : ", called at ") + line;
  }
  return text.empty() ? "an unknown line" : text;
}

}  // namespace redux::simt
