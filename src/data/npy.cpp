// .npy files, format 1 to 3 (NumPy's specification, numpy.lib.format).
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>

#include "core/status.hpp"
#include "data/data.hpp"
#include "data/npy_header.hpp"
#include "data/within_memory.hpp"

namespace redux {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMostHeaderBytes = 65536;  // NumPy's own refuses more than 10000

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw Failure(ExitCode::usage, path + ": " + what);
}

struct Opened {
  std::ifstream stream;
  std::uintmax_t bytes = 0;
};

Opened open(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse(path, "no such file");
  if (!std::filesystem::is_regular_file(status)) refuse(path, "not a regular file");
  Opened file{std::ifstream(path, std::ios::binary), std::filesystem::file_size(path, error)};
  if (!file.stream || error) refuse(path, "cannot be read");
  return file;
}

std::string read_some(Opened& file, const std::string& path, std::size_t bytes,
                      std::string_view what) {
  std::string text(bytes, '\0');
  file.stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (static_cast<std::size_t>(file.stream.gcount()) != bytes) {
    refuse(path, "the file ends inside " + std::string(what) + ": " + std::to_string(file.bytes) +
                     " bytes in all");
  }
  return text;
}

std::size_t little_endian(std::string_view bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = (value << 8U) | static_cast<unsigned char>(bytes[i]);
  }
  return value;
}

std::optional<DType> dtype_of(std::string_view descr, bool as_bfloat16) {
  struct Entry {
    std::string_view descr;
    DType dtype;
  };
  constexpr std::array<Entry, 5> kEntries{{{"<f2", DType::float16},
                                           {"<f4", DType::float32},
                                           {"<f8", DType::float64},
                                           {"<i4", DType::int32},
                                           {"<i8", DType::int64}}};
  if (descr == "<u2" && as_bfloat16) return DType::bfloat16;
  const auto* const found = std::ranges::find(kEntries, descr, &Entry::descr);
  if (found == kEntries.end()) return std::nullopt;
  return found->dtype;
}

DType checked_dtype(const std::string& path, const std::string& descr, bool as_bfloat16) {
  if (const auto dtype = dtype_of(descr, as_bfloat16)) return *dtype;
  std::string message = "dtype '" + descr + "'";
  if (descr.starts_with('>')) message += " is big endian";
  message += "; allowed are <f2, <f4, <f8, <i4 and <i8 (little endian)";
  message += descr == "<u2" ? R"(, and <u2 where the config says "dtypes": ["bfloat16"])"
                            : ", and <u2 as bfloat16";
  refuse(path, message);
}

NpyHeader read_header(Opened& file, const std::string& path, bool as_bfloat16) {
  const std::string lead = read_some(file, path, kMagic.size() + 2, "the magic string");
  if (!lead.starts_with(kMagic)) {
    refuse(path, R"(not a .npy file: it does not start with \x93NUMPY)");
  }
  const int major = static_cast<unsigned char>(lead[kMagic.size()]);
  const int minor = static_cast<unsigned char>(lead[kMagic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    refuse(path, "format " + std::to_string(major) + "." + std::to_string(minor) +
                     "; allowed are 1.0, 2.0 and 3.0");
  }
  const std::size_t width = major == 1 ? 2 : 4;
  const std::size_t length = little_endian(read_some(file, path, width, "the header length"));
  if (length > kMostHeaderBytes) {
    refuse(path, "a header of " + std::to_string(length) + " bytes; at most " +
                     std::to_string(kMostHeaderBytes) + " are allowed");
  }
  const std::string text = read_some(file, path, length, "the header");
  data::NpyDict dict;
  try {
    dict = data::parse_npy_dict(text);
  } catch (const std::invalid_argument& fault) {
    refuse(path, fault.what());
  }
  NpyHeader header{dict.descr, checked_dtype(path, dict.descr, as_bfloat16), dict.shape,
                   kMagic.size() + 2 + width + length};
  if (dict.fortran_order) {
    refuse(path, "Fortran order; only C order is allowed (save numpy.ascontiguousarray(array))");
  }
  return header;
}

std::size_t checked_bytes(const Opened& file, const std::string& path, const NpyHeader& header) {
  const Shape shape{header.dims, {}};
  const auto elements = shape.elements();
  std::int64_t bytes = 0;
  if (!elements ||
      __builtin_mul_overflow(*elements, static_cast<std::int64_t>(size_of(header.dtype)), &bytes)) {
    refuse(path, "shape " + shape.text() + " exceeds 2^63 - 1 bytes");
  }
  const auto there = file.bytes - header.data_offset;
  if (there != static_cast<std::uintmax_t>(bytes)) {
    refuse(path, std::to_string(there) + " bytes of data where shape " + shape.text() + " of " +
                     std::string(name_of(header.dtype)) + " takes " + std::to_string(bytes) +
                     (there < static_cast<std::uintmax_t>(bytes) ? " (truncated)"
                                                                 : " (bytes after the end)"));
  }
  return static_cast<std::size_t>(bytes);
}

}  // namespace

NpyHeader read_npy_header(const std::string& path, bool as_bfloat16) {
  Opened file = open(path);
  NpyHeader header = read_header(file, path, as_bfloat16);
  checked_bytes(file, path, header);
  return header;
}

std::vector<std::byte> read_npy(const std::string& path, bool as_bfloat16) {
  Opened file = open(path);
  const NpyHeader header = read_header(file, path, as_bfloat16);
  const std::size_t bytes = checked_bytes(file, path, header);
  std::vector<std::byte> data =
      data::within_memory(path, [bytes] { return std::vector<std::byte>(bytes); });
  file.stream.read(reinterpret_cast<char*>(data.data()), static_cast<std::streamsize>(data.size()));
  if (static_cast<std::size_t>(file.stream.gcount()) != data.size()) {
    refuse(path, "the file ended while it was read");
  }
  return data;
}

}  // namespace redux
