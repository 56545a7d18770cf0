// Sweeps: names, shapes against what the op takes, order, merging.
#include <gtest/gtest.h>

#include "config_support.hpp"
#include "core/op.hpp"

namespace redux::test {
namespace {

using Ids = std::vector<std::string>;

constexpr std::string_view kDTypes = "float16, bfloat16, float32, float64, int32, int64";

/// The value of "dtypes" stands at 3:1.
std::string dtype_fault(std::string_view dtypes) {
  return only_fault(with_sweep("{\"op\":\"argmax\",\"shapes\":[[4,8]],\"dtypes\":\n" +
                               std::string(dtypes) + "}"));
}

TEST(Config, F12_UnknownKeysAreAllListedWithTheNearest) {
  const auto all = faults(
      R"({"version":1,"name":"t","repeat":50,"measure":{"min_sample":3},"gate":{"treshold":1},
"sweeps":[{"op":"argmax","dtpye":["bfloat16"],"shapes":[[4,8]],"dtypes":["int32"]}]})");
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0],
            "c.json:1:25: unknown key 'repeat' (allowed: $schema, version, name, description, "
            "measure, gate, sweeps)");
  EXPECT_EQ(
      all[1],
      "c.json:1:48: /measure: unknown key 'min_sample'; did you mean 'min_samples'? (allowed: "
      "modes, caches, min_samples, max_samples, max_seconds)");
  EXPECT_EQ(all[2],
            "c.json:1:72: /gate: unknown key 'treshold'; did you mean 'threshold'? (allowed: "
            "threshold, overrides)");
  EXPECT_EQ(
      all[3],
      "c.json:2:26: /sweeps/0: unknown key 'dtpye'; did you mean 'dtypes'? (allowed: op, "
      "variants, exclude_variants, compare_to, dtypes, shapes, grid, axis, nan, empty, index, "
      "data, seed, tags, graphs, features)");
}

TEST(Config, F13_UnknownDtypesListTheSix) {
  const std::string allowed = " (allowed: " + std::string(kDTypes) + ")";
  const std::string place = "c.json:3:2: /sweeps/0/dtypes/0: unknown dtype ";
  EXPECT_EQ(dtype_fault(R"(["flaot32"])"), place + "'flaot32'; did you mean 'float32'?" + allowed);
  EXPECT_EQ(dtype_fault(R"(["Float32"])"), place + "'Float32'; did you mean 'float32'?" + allowed);
  for (const std::string name : {"fp16", "bf16", "half", "bool", "complex64", ""}) {
    const std::string fault = dtype_fault("[\"" + name + "\"]");
    EXPECT_TRUE(contains(fault, place + "'" + name + "'")) << fault;
    EXPECT_TRUE(contains(fault, allowed)) << fault;
  }
  EXPECT_EQ(dtype_fault("[32]"), place + "the number 32" + allowed);
  EXPECT_TRUE(contains(dtype_fault(R"(["float32","flaot16"])"),
                       "/sweeps/0/dtypes/1: unknown dtype 'flaot16'; did you mean 'float16'?"));
  const std::string list = "c.json:3:1: /sweeps/0/dtypes: must be a list of dtypes (" +
                           std::string(kDTypes) + "), not empty, found ";
  EXPECT_EQ(dtype_fault("\"float32\""), list + "the string 'float32'");
  EXPECT_EQ(dtype_fault("32"), list + "the number 32");
}

TEST(Config, F15_EmptyListsAreErrors) {
  EXPECT_TRUE(contains(dtype_fault("[]"), "not empty, found an empty list"));
  EXPECT_TRUE(contains(only_fault(R"({"version":1,"name":"t","sweeps":[]})"),
                       "c.json:1:34: /sweeps: must be a list of sweeps, not empty"));
  for (const std::string key : {"variants", "data", "tags", "exclude_variants"}) {
    const std::string fault = only_fault(
        with_sweep(R"({"op":"argmax","dtypes":["int32"],"shapes":[[4,8]],")" + key + "\":[]}"));
    EXPECT_TRUE(contains(fault, "/sweeps/0/" + key + ": must be a list of ")) << fault;
  }
  const std::string head = R"({"op":"argmax","dtypes":["int32"],)";
  EXPECT_TRUE(contains(only_fault(with_sweep(head + R"("shapes":[]})")), "not empty"));
  EXPECT_TRUE(contains(only_fault(with_sweep(head + R"("shapes":[[]]})")), "/sweeps/0/shapes/0: "));
  EXPECT_TRUE(contains(only_fault(with_sweep(head + R"("grid":[]})")), "/sweeps/0/grid: "));
  EXPECT_TRUE(contains(only_fault(with_sweep(head + R"("grid":[[1],[]]})")), "/sweeps/0/grid/1: "));
  EXPECT_TRUE(contains(only_fault(with_sweep(R"({"op":"argmax","dtypes":["int32"]})")),
                       "neither 'shapes' nor 'grid' is there"));
}

TEST(Config, A30_EmptyReductionsAreAllRefusedAtOnce) {
  const auto all = faults(argmax_over("[0,5],[3,0],[0,0],[0]"));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0], "c.json:3:7: /sweeps/0/shapes/1: shape 3x0: reduction axis has size 0");
  EXPECT_EQ(all[1], "c.json:3:13: /sweeps/0/shapes/2: shape 0x0: reduction axis has size 0");
  EXPECT_EQ(all[2], "c.json:3:19: /sweeps/0/shapes/3: shape 0: reduction axis has size 0");
  EXPECT_EQ(ids(argmax_over("[0,5]")), (Ids{"argmax/host_serial/float32/0x5"}));
}

TEST(Config, C09_AxisOutsideTheRankIsRefusedEmptyOrNot) {
  for (const std::string axis : {"100", "-100"}) {
    const auto all = faults(argmax_over("[0],[1,0],[1,1,0],[2,3]", ",\"axis\":" + axis));
    ASSERT_EQ(all.size(), 4U);
    EXPECT_TRUE(contains(all[0], "shape 0: axis " + axis + " is outside [-1, 1)")) << all[0];
    EXPECT_TRUE(contains(all[1], "shape 1x0: axis " + axis + " is outside [-2, 2)")) << all[1];
    EXPECT_TRUE(contains(all[2], "shape 1x1x0: axis " + axis + " is outside [-3, 3)")) << all[2];
    EXPECT_TRUE(contains(all[3], "shape 2x3: axis " + axis + " is outside [-2, 2)")) << all[3];
  }
  EXPECT_TRUE(contains(only_fault(argmax_over("[3]", R"(,"axis":1)")), "outside [-1, 1)"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[3]", R"(,"axis":-2)")), "outside [-1, 1)"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[3]", R"(,"axis":2147483648)")), "is too large"));
  EXPECT_TRUE(contains(only_fault(argmax_over("[2,3]", R"(,"axis":0)")), "not the last axis"));
}

TEST(Config, R15_UnknownNamesSayWhatThereIs) {
  const std::string op =
      only_fault(with_sweep(R"({"op":"argmx","dtypes":["int32"],"shapes":[[1,2]]})"));
  EXPECT_TRUE(contains(op,
                       "/sweeps/0/op: unknown op 'argmx'; did you mean 'argmax'? (allowed: "
                       "argmax, argmin"))
      << op;
  const std::string variant = only_fault(with_sweep(
      R"({"op":"argmax","variants":["host_serail"],"dtypes":["int32"],"shapes":[[1,2]]})"));
  EXPECT_TRUE(contains(variant,
                       "/sweeps/0/variants/0: argmax has no variant 'host_serail' in this "
                       "build; did you mean 'host_serial'? (it has: host_"))
      << variant;
  const std::string data = only_fault(argmax_over("[1,2]", R"(,"data":["tie"])"));
  EXPECT_TRUE(
      contains(data, "unknown data kind 'tie'; did you mean 'ties'? (allowed: random, ties"))
      << data;
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"nan":"keep")")),
                       "unknown nan policy 'keep' (allowed: skip, propagate)"));
}

TEST(Config, AttributesThatTheOpLacks) {
  const std::string has = " (it has: axis, nan)";
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"empty":"0")")),
                       "/sweeps/0/empty: argmax has no attribute 'empty'" + has));
  EXPECT_TRUE(contains(only_fault(argmax_over("[1,2]", R"(,"index":["int32"])")),
                       "/sweeps/0/index: argmax has no attribute 'index'" + has));
  const auto all = faults(argmax_over("[1,2]", R"(,"graphs":[{"kind":"hub"}],"features":[8])"));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_TRUE(contains(all[0], "'graphs' belongs to ops over graphs; argmax takes tensors"));
  EXPECT_TRUE(contains(all[1], "'features' belongs to ops over graphs; argmax takes tensors"));
}

TEST(Config, ExpandsInOrderWithVariantsInnermost) {
  const Config config = parse_config(
      with_sweep(R"({"op":"argmax","variants":["host_serial"],"dtypes":["float32","int32"],
                 "shapes":[[2,3]],"grid":[[1,2],[4,5]],"data":["random","ties"],"nan":"propagate",
                 "tags":["a","b","a"],"compare_to":"host_serial"})"),
      "c.json");
  Ids expected;
  for (const std::string shape : {"2x3", "1x4", "1x5", "2x4", "2x5"}) {
    for (const std::string dtype : {"float32", "int32"}) {
      for (const std::string data : {"", "/data=ties"}) {
        expected.push_back("argmax/host_serial/" + dtype + "/" + shape + data + "/nan=propagate");
      }
    }
  }
  EXPECT_EQ(ids(config), expected);
  EXPECT_EQ(config.cases[0].tags, (Ids{"a", "b"}));
  EXPECT_EQ(config.cases[0].compare_to, "host_serial");
  EXPECT_TRUE(config.notices.empty());
}

TEST(Config, B13_EqualCasesAreMergedWithANotice) {
  const Config config = parse_config(
      R"({"version":1,"name":"t","sweeps":[
{"op":"argmax","variants":["host_serial"],"dtypes":["int32"],"shapes":[[1,2],[3,4]],"tags":["a"]},
{"op":"argmax","variants":["host_serial"],"dtypes":["int32"],"shapes":[[3,4],[3,4],[5,6]],
 "tags":["b"],"seed":7}]})",
      "c.json");
  EXPECT_EQ(ids(config), (Ids{"argmax/host_serial/int32/1x2", "argmax/host_serial/int32/3x4",
                              "argmax/host_serial/int32/5x6"}));
  EXPECT_EQ(config.cases[1].tags, (Ids{"a", "b"}));
  EXPECT_EQ(config.cases[1].seed, 42U);
  EXPECT_EQ(config.cases[2].seed, 7U);
  ASSERT_EQ(config.notices.size(), 1U);
  EXPECT_EQ(config.notices[0],
            "c.json:3:1: /sweeps/1: 2 of its cases repeat earlier ones and are merged with them, "
            "first argmax/host_serial/int32/3x4 (with its seed 42)");
}

/// Ops of a build that has, or lacks, CUDA variants; "half_less" does not take bfloat16.
const Registry& made_up(bool cuda) {
  static const auto make = [](bool with_cuda) {
    auto* const registry = new Registry;
    Op op = *Registry::instance().find_op("argmax");
    registry->add(op);
    op.name = "half_less";
    op.dtypes = {DType::float32};
    op.attributes = {"empty", "index"};
    registry->add(op);
    for (const std::string name : {"argmax", "half_less"}) {
      Variant variant;
      variant.op = name;
      variant.name = "on_host";
      registry->add(variant);
      variant.side = Side::cuda;
      variant.name = "on_device";
      if (with_cuda) registry->add(variant);
    }
    return registry;
  };
  static const Registry* const with = make(true);
  static const Registry* const without = make(false);
  return cuda ? *with : *without;
}

std::string over(std::string_view op, std::string_view more) {
  return with_sweep(R"({"op":")" + std::string(op) + R"(","shapes":[[1,2],[3,4]])" +
                    std::string(more) + "}");
}

TEST(Config, F14_DtypesThatAnOpLacks) {
  const auto all = faults(over("half_less", R"(,"dtypes":["float32","bfloat16"])"), made_up(true));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(
      contains(all[0], "/sweeps/0/dtypes/1: half_less does not take bfloat16 (it takes: float32)"))
      << all[0];
}

TEST(Config, VariantsOfAProblemAreAdjacentAlsoOverSweeps) {
  const Config config = parse_config(
      R"({"version":1,"name":"t","sweeps":[
        {"op":"argmax","variants":["on_device"],"dtypes":["int32"],"shapes":[[1,2],[3,4]]},
        {"op":"argmax","dtypes":["int32"],"shapes":[[3,4],[1,2]]}]})",
      "c.json", made_up(true));
  EXPECT_EQ(ids(config), (Ids{"argmax/on_device/int32/1x2", "argmax/on_host/int32/1x2",
                              "argmax/on_device/int32/3x4", "argmax/on_host/int32/3x4"}));
}

TEST(Config, VariantsCanBeExcluded) {
  const std::string text =
      over("argmax", R"(,"dtypes":["int32"],"variants":["*"],"exclude_variants":["on_device"])");
  EXPECT_EQ(ids(parse_config(text, "c.json", made_up(true))),
            (Ids{"argmax/on_host/int32/1x2", "argmax/on_host/int32/3x4"}));
  EXPECT_EQ(ids(parse_config(text, "c.json", made_up(false))),
            (Ids{"argmax/on_host/int32/1x2", "argmax/on_host/int32/3x4"}));
  const std::string misspelt =
      over("argmax", R"(,"dtypes":["int32"],"exclude_variants":["on_divice"])");
  EXPECT_EQ(faults(misspelt, made_up(true)).size(), 1U);
  EXPECT_EQ(faults(misspelt, made_up(false)).size(), 0U);
  const std::string none = over("argmax", R"(,"dtypes":["int32"],"exclude_variants":["on_host"])");
  EXPECT_EQ(faults(none, made_up(true)).size(), 0U);
  ASSERT_EQ(faults(none, made_up(false)).size(), 1U);
  EXPECT_TRUE(contains(faults(none, made_up(false))[0], "leaves no variant to run"));
}

TEST(Config, WithoutCudaItIsSaidOfVariants) {
  const std::string cuda_only = over("argmax", R"(,"dtypes":["int32"],"variants":["on_device"])");
  EXPECT_EQ(faults(cuda_only, made_up(true)).size(), 0U);
  const auto all = faults(cuda_only, made_up(false));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(contains(all[0], "(it has: on_host; the build is without CUDA")) << all[0];
  const std::string compare = over("argmax", R"(,"dtypes":["int32"],"compare_to":"on_device")");
  EXPECT_EQ(parse_config(compare, "c.json", made_up(true)).cases[0].compare_to, "on_device");
  const Config config = parse_config(compare, "c.json", made_up(false));
  EXPECT_EQ(config.cases[0].compare_to, "");
  ASSERT_EQ(config.notices.size(), 1U);
  EXPECT_TRUE(contains(config.notices[0],
                       "no speed-ups are shown: argmax has no variant "
                       "'on_device' in this build"));
  const std::string unknown = over("argmax", R"(,"dtypes":["int32"],"compare_to":"nothing")");
  EXPECT_EQ(faults(unknown, made_up(true)).size(), 1U);
}

TEST(Config, StarIsAloneInItsList) {
  const auto all =
      faults(over("argmax", R"(,"dtypes":["int32"],"variants":["*","on_host"])"), made_up(true));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_TRUE(contains(all[0], "'*' stands for all variants; it must be alone in its list"));
}

TEST(Config, EmptyAndIndexWhereAnOpHasThem) {
  const Config config =
      parse_config(with_sweep(R"({"op":"half_less","variants":["on_host"],"dtypes":["float32"],
                 "shapes":[[1,2]],"empty":"0","index":["int32","int64"]})"),
                   "c.json", made_up(true));
  EXPECT_EQ(ids(config), (Ids{"half_less/on_host/float32/1x2/empty=0",
                              "half_less/on_host/float32/1x2/empty=0/index=int64"}));
}

}  // namespace
}  // namespace redux::test
