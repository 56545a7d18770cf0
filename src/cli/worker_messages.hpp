// What a supervisor asks of its worker: a line each, and a line in answer. Both ends are of one
// build, so that nothing here has a version.
#pragma once

namespace redux::cli::message {

// The question is in "do", what it needs beside it. An answer that is a failure has "failure" with
// its exit code and "message" alone.
inline constexpr const char* kDo = "do";
inline constexpr const char* kOpen = "open";          ///< "configs": texts -> Opened
inline constexpr const char* kCeilings = "ceilings";  ///< "side", ceilings -> ceilings
inline constexpr const char* kRun = "run";  ///< "id", ceilings -> "record", "spent" and them

}  // namespace redux::cli::message
