// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>

using namespace dovetail::test;

namespace {

Assembly subgroup(std::string body) {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformVote\n"
                          "OpCapability GroupNonUniformBallot\nOpCapability GroupNonUniformArithmetic\n"
                          "OpCapability GroupNonUniformShuffle\nOpCapability GroupNonUniformShuffleRelative\n"
                          "OpCapability GroupNonUniformClustered\nOpCapability GroupNonUniformQuad\n";
  assembly.body =
      "%n1 = OpCompositeExtract %int %n 0\n%u1 = OpBitcast %uint %n1\n%b = OpIEqual %bool %n1 %int_1\n" + body;
  return assembly;
}

template <typename T> size_t countOf(const std::string &instruction) {
  Translated translated(subgroup("%r = " + instruction + "\n"));
  INFO(instruction);
  CHECK(translated.error() == "");
  return translated.all<T>().size();
}

} // namespace

TEST_CASE("each subgroup instruction becomes its Builder operation") {
  CHECK(countOf<lgc::SubgroupElectOp>("OpGroupNonUniformElect %bool %uint_3") == 1);
  CHECK(countOf<lgc::SubgroupAllOp>("OpGroupNonUniformAll %bool %uint_3 %b") == 1);
  CHECK(countOf<lgc::SubgroupAnyOp>("OpGroupNonUniformAny %bool %uint_3 %b") == 1);
  CHECK(countOf<lgc::SubgroupAllEqualOp>("OpGroupNonUniformAllEqual %bool %uint_3 %p") == 1);
  CHECK(countOf<lgc::SubgroupBroadcastOp>("OpGroupNonUniformBroadcast %v4float %uint_3 %p %uint_2") == 1);
  CHECK(countOf<lgc::SubgroupBroadcastFirstOp>("OpGroupNonUniformBroadcastFirst %v4float %uint_3 %p") == 1);
  CHECK(countOf<lgc::SubgroupBallotOp>("OpGroupNonUniformBallot %v4uint %uint_3 %b") == 1);
  CHECK(countOf<lgc::SubgroupShuffleOp>("OpGroupNonUniformShuffle %v4float %uint_3 %p %u1") == 1);
  CHECK(countOf<lgc::SubgroupShuffleXorOp>("OpGroupNonUniformShuffleXor %v4float %uint_3 %p %u1") == 1);
  CHECK(countOf<lgc::SubgroupShuffleUpOp>("OpGroupNonUniformShuffleUp %v4float %uint_3 %p %u1") == 1);
  CHECK(countOf<lgc::SubgroupShuffleDownOp>("OpGroupNonUniformShuffleDown %v4float %uint_3 %p %u1") == 1);
  CHECK(countOf<lgc::SubgroupQuadBroadcastOp>("OpGroupNonUniformQuadBroadcast %v4float %uint_3 %p %uint_2") == 1);
  CHECK(countOf<lgc::SubgroupQuadSwapHorizontalOp>("OpGroupNonUniformQuadSwap %v4float %uint_3 %p %uint_0") == 1);
  CHECK(countOf<lgc::SubgroupQuadSwapVerticalOp>("OpGroupNonUniformQuadSwap %v4float %uint_3 %p %uint_1") == 1);
  CHECK(countOf<lgc::SubgroupQuadSwapDiagonalOp>("OpGroupNonUniformQuadSwap %v4float %uint_3 %p %uint_2") == 1);
}

TEST_CASE("ballots are counted whole, inclusively and exclusively") {
  std::string ballot = "%v = OpGroupNonUniformBallot %v4uint %uint_3 %b\n";
  Translated translated(subgroup(ballot + "%x = OpGroupNonUniformBallotBitCount %uint %uint_3 Reduce %v\n"
                                          "%y = OpGroupNonUniformBallotBitCount %uint %uint_3 InclusiveScan %v\n"
                                          "%z = OpGroupNonUniformBallotBitCount %uint %uint_3 ExclusiveScan %v\n"
                                          "%l = OpGroupNonUniformBallotFindLSB %uint %uint_3 %v\n"
                                          "%m = OpGroupNonUniformBallotFindMSB %uint %uint_3 %v\n"
                                          "%i = OpGroupNonUniformInverseBallot %bool %uint_3 %v\n"
                                          "%e = OpGroupNonUniformBallotBitExtract %bool %uint_3 %v %u1\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::SubgroupBallotBitCountOp>());
  CHECK(translated.only<lgc::SubgroupBallotInclusiveBitCountOp>());
  CHECK(translated.only<lgc::SubgroupBallotExclusiveBitCountOp>());
  CHECK(translated.only<lgc::SubgroupBallotFindLsbOp>());
  CHECK(translated.only<lgc::SubgroupBallotFindMsbOp>());
  CHECK(translated.only<lgc::SubgroupInverseBallotOp>());
  CHECK(translated.only<lgc::SubgroupBallotBitExtractOp>());
}

TEST_CASE("reductions and scans run over the whole wave, clusters over their size") {
  Translated reduce(subgroup("%r = OpGroupNonUniformFAdd %v4float %uint_3 Reduce %p\n"));
  REQUIRE(reduce.only<lgc::SubgroupClusteredReductionOp>());
  CHECK(reduce.only<lgc::SubgroupClusteredReductionOp>()->clusterSize() == 64);
  CHECK(reduce.only<lgc::SubgroupClusteredReductionOp>()->op() == lgc::GroupOp::FAdd);
  Translated clustered(subgroup("%r = OpGroupNonUniformUMin %uint %uint_3 ClusteredReduce %u1 %uint_4\n"));
  REQUIRE(clustered.only<lgc::SubgroupClusteredReductionOp>());
  CHECK(clustered.only<lgc::SubgroupClusteredReductionOp>()->clusterSize() == 4);
  Translated inclusive(subgroup("%r = OpGroupNonUniformIMul %uint %uint_3 InclusiveScan %u1\n"));
  CHECK(inclusive.only<lgc::SubgroupClusteredInclusiveOp>());
  Translated exclusive(subgroup("%r = OpGroupNonUniformLogicalXor %bool %uint_3 ExclusiveScan %b\n"));
  REQUIRE(exclusive.only<lgc::SubgroupClusteredExclusiveOp>());
  CHECK(exclusive.only<lgc::SubgroupClusteredExclusiveOp>()->op() == lgc::GroupOp::Xor);
}

TEST_CASE("partitions, and reductions and scans over them") {
  Assembly assembly = subgroup("%v = OpGroupNonUniformPartitionNV %v4uint %p\n"
                               "%x = OpGroupNonUniformFAdd %v4float %uint_3 PartitionedReduceNV %p %v\n"
                               "%y = OpGroupNonUniformUMin %uint %uint_3 PartitionedInclusiveScanNV %u1 %v\n"
                               "%z = OpGroupNonUniformLogicalXor %bool %uint_3 PartitionedExclusiveScanNV %b %v\n");
  assembly.capabilities += "OpCapability GroupNonUniformPartitionedNV\n"
                           "OpExtension \"SPV_NV_shader_subgroup_partitioned\"\n";
  Translated translated(assembly);
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::SubgroupPartitionOp>());
  REQUIRE(translated.only<lgc::SubgroupPartitionedReductionOp>());
  CHECK(translated.only<lgc::SubgroupPartitionedReductionOp>()->op() == lgc::GroupOp::FAdd);
  REQUIRE(translated.only<lgc::SubgroupPartitionedInclusiveOp>());
  CHECK(translated.only<lgc::SubgroupPartitionedInclusiveOp>()->op() == lgc::GroupOp::UMin);
  REQUIRE(translated.only<lgc::SubgroupPartitionedExclusiveOp>());
  CHECK(translated.only<lgc::SubgroupPartitionedExclusiveOp>()->op() == lgc::GroupOp::Xor);
}

TEST_CASE("clusters of one lane are the value itself, larger ones than the wave are the wave") {
  Translated one(subgroup("%r = OpGroupNonUniformIAdd %uint %uint_3 ClusteredReduce %u1 %uint_1\n"));
  CHECK(one.error() == "");
  CHECK(one.all<lgc::SubgroupClusteredReductionOp>().empty());
  Translated odd(subgroup("%r = OpGroupNonUniformIAdd %uint %uint_3 ClusteredReduce %u1 %uint_3\n"));
  CHECK(odd.error() != "");
}

TEST_CASE("operands of a type that a group operation does not take are Errors that name it") {
  Translated lane(subgroup("%r = OpGroupNonUniformShuffle %v4float %uint_3 %p %b\n"));
  CHECK(lane.error().find("OpGroupNonUniformShuffle") != std::string::npos);
  Translated vote(subgroup("%r = OpGroupNonUniformAll %bool %uint_3 %u1\n"));
  CHECK(vote.error().find("OpGroupNonUniformAll") != std::string::npos);
  Translated sum(subgroup("%r = OpGroupNonUniformFAdd %int %uint_3 Reduce %n1\n"));
  CHECK(sum.error().find("OpGroupNonUniformFAdd") != std::string::npos);
}
