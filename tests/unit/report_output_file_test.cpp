#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "core/status.hpp"
#include "report/output_file.hpp"

namespace redux::report {
namespace {

namespace fs = std::filesystem;

class ReportOutputFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "redux-output-XXXXXX").string();
    folder = ::mkdtemp(pattern.data());
    path = (folder / "out.jsonl").string();
  }
  void TearDown() override { fs::remove_all(folder); }

  static std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  static void write(const fs::path& file, const std::string& text) { std::ofstream(file) << text; }
  [[nodiscard]] std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
  }

  fs::path folder;
  std::string path;
};

TEST_F(ReportOutputFile, ANewFileIsThereFromPublishIfNewOn) {
  OutputFile file("--output", path, "r1");
  EXPECT_FALSE(fs::exists(path));
  file.append("one\n");
  file.publish_if_new();
  EXPECT_EQ(content(path), "one\n");
  file.append("two\n");
  EXPECT_EQ(content(path), "one\ntwo\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(ReportOutputFile, R13_TheEarlierFileIsWholeUntilPublish) {
  write(path, "old\n");
  OutputFile file("--output", path, "r1");
  file.append("one\n");
  file.publish_if_new();
  EXPECT_EQ(content(path), "old\n");
  EXPECT_EQ(content(file.location()), "one\n");
  file.publish();
  EXPECT_EQ(content(path), "one\n");
  EXPECT_EQ(files(), 1U);
}

TEST_F(ReportOutputFile, WhatWasNeverPublishedIsRemovedUnlessKept) {
  write(path, "old\n");
  { OutputFile("--output", path, "r1").append("one\n"); }
  EXPECT_EQ(files(), 1U);
  std::string kept;
  {
    OutputFile file("--output", path, "r2");
    file.append("two\n");
    file.keep();
    kept = file.location();
  }
  EXPECT_EQ(content(kept), "two\n");
  EXPECT_EQ(content(path), "old\n");
}

TEST_F(ReportOutputFile, ALinkStaysALink) {
  write(folder / "target", "old\n");
  fs::create_symlink(folder / "target", path);
  OutputFile file("--output", path, "r1");
  file.append("new\n");
  file.publish();
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(content(folder / "target"), "new\n");
}

TEST_F(ReportOutputFile, ASignalAppendsAndPublishes) {
  write(path, "old\n");
  OutputFile file("--output", path, "r1");
  file.append("one\n");
  EXPECT_TRUE(file.append_and_publish_from_signal("last\n"));
  EXPECT_EQ(content(path), "one\nlast\n");
}

TEST_F(ReportOutputFile, AContinuedFileGrowsInPlace) {
  write(path, "whole\ntorn");
  {
    OutputFile file("--resume", path, "r1", true);
    EXPECT_EQ(content(path), "whole\ntorn");
    file.cut_to(6);
    file.append("more\n");
    EXPECT_EQ(content(path), "whole\nmore\n");
    file.publish();
  }
  EXPECT_EQ(content(path), "whole\nmore\n");
  { OutputFile("--resume", path, "r1", true).append("end\n"); }
  EXPECT_EQ(content(path), "whole\nmore\nend\n");
  EXPECT_EQ(files(), 1U);
}

void expect_refused(const std::string& path, const std::string& part, bool continued = false) {
  try {
    const OutputFile file("--output", path, "r1", continued);
    ADD_FAILURE() << path << " was accepted";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::usage);
    EXPECT_NE(std::string(failure.what()).find(part), std::string::npos) << failure.what();
  }
}

TEST_F(ReportOutputFile, R02_BadPathsAreRefusedAtOnce) {
  expect_refused((folder / "no/such/dir/out.jsonl").string(), "does not exist");
  expect_refused(folder.string(), "is a folder");
  write(folder / "plain", "");
  expect_refused((folder / "plain/out.jsonl").string(), "is not a folder");
  expect_refused("", "empty");
  expect_refused("/proc/out.jsonl", "cannot be written");
}

TEST_F(ReportOutputFile, OnlyAFileThatIsThereIsContinued) {
  expect_refused(path, "is no file that can be continued", true);
  expect_refused("/dev/null", "is no file that can be continued", true);
  expect_refused(folder.string(), "is a folder", true);
  EXPECT_EQ(files(), 0U);
}

TEST_F(ReportOutputFile, TwoProcessesDoNotWriteToOneFile) {
  OutputFile first("--output", path, "r1");
  first.append("one\n");
  first.publish_if_new();
  expect_refused(path, "another process writes to it", true);
  EXPECT_EQ(content(path), "one\n");
}

TEST_F(ReportOutputFile, R02_AFullDiskIsReported) {
  OutputFile file("--output", "/dev/full", "r1");
  EXPECT_THROW(file.append("text\n"), std::runtime_error);
}

}  // namespace
}  // namespace redux::report
