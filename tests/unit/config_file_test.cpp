// The top level, settings, files on disk and data files.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/config.hpp"
#include "config/sha256.hpp"
#include "config_support.hpp"

namespace redux::test {
namespace {

using Ids = std::vector<std::string>;

std::string with_settings(std::string_view settings) {
  return R"({"version":1,"name":"t",)" + std::string(settings) +
         R"(,"sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,2]]}]})";
}

class ConfigFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("redux-config-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    const auto path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
    return path.string();
  }

  /// A format 1.0 .npy of 4 x 8 zeros.
  std::string write_npy(const std::string& name, const std::string& descr, std::size_t element) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (4, 8), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string bytes = "\x93NUMPY\x01";
    bytes += '\0';
    bytes += static_cast<char>(header.size() & 0xFFU);
    bytes += static_cast<char>(header.size() >> 8U);
    return write(name, bytes + header + std::string(32 * element, '\0'));
  }

  static Ids faults_of(const std::string& path) {
    try {
      load_config(path);
    } catch (const ConfigError& error) {
      EXPECT_EQ(error.code(), ExitCode::usage);
      return error.messages();
    }
    return {};
  }

  std::string over_file(const std::string& keys) {
    return write("c.json",
                 with_sweep(R"({"op":"argmax","variants":["host_serial"],)" + keys + "}"));
  }

  std::filesystem::path folder_;
};

TEST(Config, TopLevelIsReadWhole) {
  const std::string text = R"({"$schema":"schema.json","version":1,"name":"a-1","description":"d",
    "measure":{"modes":["stream"],"caches":["warm","cold"],"min_samples":3,"max_samples":4,
               "max_seconds":0.5},
    "gate":{"threshold":0.125,"overrides":[{"match":"/1x","threshold":1}]},
    "sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,2]]}]})";
  const Config config = parse_config(text, "some/c.json");
  EXPECT_EQ(config.path, "some/c.json");
  EXPECT_EQ(config.name, "a-1");
  EXPECT_EQ(config.description, "d");
  EXPECT_EQ(config.sha256, sha256_hex(text));
  EXPECT_EQ(config.measure.modes, std::vector<Mode>{Mode::stream});
  EXPECT_EQ(config.measure.caches, (std::vector<Cache>{Cache::warm, Cache::cold}));
  EXPECT_EQ(config.measure.min_samples, 3);
  EXPECT_EQ(config.measure.max_samples, 4);
  EXPECT_EQ(config.measure.max_seconds, 0.5);
  EXPECT_EQ(config.gate.threshold, 0.125);
  ASSERT_EQ(config.gate.overrides.size(), 1U);
  EXPECT_EQ(config.gate.overrides[0].match, "/1x");
  EXPECT_EQ(config.gate.overrides[0].threshold, 1.0);
}

TEST(Config, TopLevelFaultsAreToldAtOnce) {
  const auto all = faults(R"({"version":2,"name":"A b","description":3,"$schema":1})");
  ASSERT_EQ(all.size(), 5U);
  EXPECT_EQ(all[0], "c.json:1:1: the key 'sweeps' is missing");
  EXPECT_EQ(all[1], "c.json:1:12: /version: version 2 is not known; this program reads version 1");
  EXPECT_TRUE(contains(all[2], "/name: name must be a string of a-z, 0-9 and '-'"));
  EXPECT_TRUE(contains(all[2], "found the string 'A b'"));
  EXPECT_TRUE(contains(all[3], "/description: description must be a string, found the number 3"));
  EXPECT_TRUE(contains(all[4], "/$schema: $schema must be a string"));
  EXPECT_TRUE(contains(only_fault("[]"), "must be an object with the keys"));
}

TEST_F(ConfigFiles, AFileWithoutEndIsNotReadToItsEnd) {
  EXPECT_EQ(faults_of("/dev/zero"),
            (Ids{"/dev/zero: a config file has at most 16777216 bytes; this one has more"}));
  const std::string blanks(16'777'216, ' ');
  EXPECT_EQ(faults_of(write("full.json", blanks)).front(),
            (folder_ / "full.json").string() + ":1:16777217: the file holds no JSON value");
  EXPECT_EQ(faults_of(write("more.json", blanks + " ")).front(),
            (folder_ / "more.json").string() +
                ": a config file has at most 16777216 bytes; this one has more");
}

TEST(Config, NamesAndOverridesAreBounded) {
  const auto named = [](std::size_t letters) {
    return R"({"version":1,"name":")" + std::string(letters, 'n') +
           R"(","sweeps":[{"op":"argmax","dtypes":["int32"],"shapes":[[1,2]]}]})";
  };
  EXPECT_EQ(parse_config(named(100), "c.json").name.size(), 100U);
  EXPECT_TRUE(contains(only_fault(named(101)),
                       "name must be a string of a-z, 0-9 and '-', at "
                       "most 100 of them"));
  const std::string entry = R"({"match":"a","threshold":0.1})";
  std::string overrides = entry;
  for (int i = 1; i < 1'001; ++i) overrides += "," + entry;
  EXPECT_TRUE(contains(only_fault(with_settings(R"("gate":{"overrides":[)" + overrides + "]}")),
                       "/gate/overrides: 1001 overrides; at most 1000 are allowed"));
}

TEST(Config, MeasureSettingsAreChecked) {
  const auto fault = [](std::string_view measure) {
    return only_fault(with_settings("\"measure\":" + std::string(measure)));
  };
  EXPECT_TRUE(contains(fault(R"({"modes":["grahp"]})"),
                       "unknown mode 'grahp'; did you mean 'graph'? (allowed: graph, stream)"));
  EXPECT_TRUE(contains(fault(R"({"caches":["hot"]})"), "unknown cache 'hot'"));
  EXPECT_TRUE(contains(fault(R"({"modes":["graph","graph"]})"), "mode 'graph' is listed twice"));
  EXPECT_TRUE(contains(fault(R"({"modes":[]})"), "found an empty list"));
  EXPECT_TRUE(contains(fault(R"({"min_samples":0})"), "min_samples 0 is too small; at least 1"));
  EXPECT_TRUE(contains(fault(R"({"max_samples":1000001})"), "is too large; at most 1000000"));
  EXPECT_TRUE(contains(fault(R"({"max_samples":10})"),
                       "min_samples 20 (the default) is more than max_samples 10"));
  EXPECT_TRUE(contains(fault(R"({"min_samples":30,"max_samples":20})"),
                       "min_samples 30 is more than max_samples 20"));
  for (const std::string seconds : {"0", "-1", "86400", "1e999", "\"1\"", "null"}) {
    EXPECT_TRUE(contains(fault("{\"max_seconds\":" + seconds + "}"),
                         "max_seconds must be a number above 0 and below 86400"))
        << seconds;
  }
}

TEST(Config, GateSettingsAreChecked) {
  const auto fault = [](std::string_view gate) {
    return only_fault(with_settings("\"gate\":" + std::string(gate)));
  };
  for (const std::string threshold : {"0", "-0.05", "10", "1e400", "\"5%\"", "true"}) {
    EXPECT_TRUE(contains(fault("{\"threshold\":" + threshold + "}"),
                         "threshold must be a number above 0 and below 10"))
        << threshold;
  }
  EXPECT_TRUE(contains(fault(R"({"overrides":[{"match":"[a","threshold":0.1}]})"),
                       "/gate/overrides/0/match: match is no valid regular expression: '[a'"));
  EXPECT_TRUE(
      contains(fault(R"({"overrides":[{"match":"a"}]})"), "the key 'threshold' is missing"));
  EXPECT_TRUE(contains(fault(R"({"overrides":[{"threshold":1}]})"), "the key 'match' is missing"));
  EXPECT_TRUE(contains(
      fault(R"({"overrides":[{"match":")" + std::string(1'001, '(') + R"(","threshold":1}]})"),
      "match is longer than 1000 characters"));
}

TEST(Config, FaultsBeyondAHundredAreCounted) {
  std::string shapes;
  for (int i = 0; i < 150; ++i) shapes += (i == 0 ? "[1,0]" : ",[1,0]");
  const auto all = faults(argmax_over(shapes));
  ASSERT_EQ(all.size(), 101U);
  EXPECT_EQ(all.back(), "c.json: and 50 more faults");
}

TEST_F(ConfigFiles, R15_AFileThatCannotBeReadIsNamed) {
  const std::string missing = (folder_ / "none.json").string();
  EXPECT_EQ(faults_of(missing), Ids{missing + ": cannot be read: No such file or directory"});
  EXPECT_EQ(faults_of(folder_.string()),
            Ids{folder_.string() + ": is a folder, not a config file"});
}

TEST_F(ConfigFiles, FaultsOfAFileNameIt) {
  const std::string path = write("bad.json", "{");
  EXPECT_EQ(faults_of(path),
            Ids{path + ":1:2: expected a key in double quotes, found the end of the file"});
}

TEST_F(ConfigFiles, DataFilesAreFoundFromTheConfig) {
  const std::string npy = write_npy("sub/x.npy", "<f4", 4);
  const std::string path = over_file(R"("data":{"file":"sub/x.npy"},"nan":"propagate")");
  const Config config = load_config(path);
  EXPECT_EQ(ids(config), Ids{"argmax/host_serial/float32/4x8/data=x.npy/nan=propagate"});
  EXPECT_EQ(config.cases.at(0).data, "file");
  EXPECT_EQ(config.cases.at(0).data_file, npy);
  EXPECT_EQ(faults_of(over_file(R"("data":[{"file":"sub/x.npy"}],"dtypes":["float32"])")), Ids{});
  EXPECT_EQ(faults_of(over_file(R"("data":{"file":")" + npy + "\"}")), Ids{});
}

TEST_F(ConfigFiles, DataFilesAsBfloat16) {
  write_npy("b.npy", "<u2", 2);
  EXPECT_EQ(ids(load_config(over_file(R"("data":{"file":"b.npy"},"dtypes":["bfloat16"])"))),
            Ids{"argmax/host_serial/bfloat16/4x8/data=b.npy"});
  EXPECT_EQ(faults_of(over_file(R"("data":{"file":"b.npy"})")).size(), 1U);
}

TEST_F(ConfigFiles, DataFilesThatDoNotFit) {
  write_npy("x.npy", "<f4", 4);
  write_npy("y/x.npy", "<f4", 4);
  const auto fault = [this](const std::string& keys) {
    const auto all = faults_of(over_file(keys));
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " faults";
  };
  const std::string file = R"("data":{"file":"x.npy"})";
  EXPECT_TRUE(contains(fault(file + R"(,"dtypes":["float16"])"), "dtypes asks for float16, but "));
  EXPECT_TRUE(contains(fault(file + R"(,"dtypes":["float16"])"), "x.npy holds float32 ('<f4')"));
  EXPECT_TRUE(contains(fault(file + R"(,"dtypes":["float32","int32"])"), "a file has one dtype"));
  EXPECT_TRUE(contains(fault(file + R"(,"shapes":[[4,8]])"),
                       "/sweeps/0/shapes: data comes from a file, and so does its shape"));
  EXPECT_TRUE(contains(fault(file + R"(,"grid":[[4],[8]])"), "/sweeps/0/grid: data comes from"));
  EXPECT_TRUE(contains(fault(R"("data":["random",{"file":"x.npy"}])"), "write two sweeps"));
  EXPECT_TRUE(contains(fault(R"("data":{"file":"no.npy"})"), "no.npy"));
  EXPECT_TRUE(contains(fault(R"("data":{"file":"x.csv"})"), "must be the path of a NumPy array"));
  EXPECT_TRUE(contains(fault(R"("data":{"flie":"x.npy"})"), "2 faults"));
  EXPECT_TRUE(contains(fault(R"("data":[{"file":"x.npy"},{"file":"y/x.npy"}])"),
                       "rename one of the files"));
}

// S1 was tested on 396 combinations; 3 dtypes, 4 kinds, 2 ops, 2 policies of its 4 x 300 rows
// beside.
TEST(Config, CorrectnessSweepHasAllCombinationsOfTheSource) {
  int combinations = 0, four_rows = 0;
  for (const Case& c :
       load_config(REDUX_SOURCE_DIR "/configs/seed-argmax-correctness.json").cases) {
    if (c.variant->name != "host_serial" || c.tags != Ids{"s1"}) continue;
    ++(c.shape.text() == "4x300" ? four_rows : combinations);
  }
  EXPECT_EQ(combinations, 396);
  EXPECT_EQ(four_rows, 48);
}

TEST(Config, ConfigsOfTheProjectAreValid) {
  int read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(REDUX_SOURCE_DIR "/configs")) {
    if (entry.path().extension() != ".json" || entry.path().filename() == "schema.json") continue;
    const Config config = load_config(entry.path().string());
    EXPECT_EQ(config.name + ".json", entry.path().filename().string());
    EXPECT_FALSE(config.cases.empty());
    for (const std::string& notice : config.notices)
      EXPECT_FALSE(contains(notice, "repeat")) << notice;
    ++read;
  }
  EXPECT_GE(read, 5);
}

}  // namespace
}  // namespace redux::test
