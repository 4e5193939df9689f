// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace dovetail::test;

namespace {

// Arrays of 200 vectors: in a uniform block %uniforms, and as variables %x and %y.
Assembly withArrays(std::string body) {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.decorations = "OpDecorate %B Block\nOpMemberDecorate %B 0 Offset 0\nOpDecorate %array ArrayStride 16\n"
                         "OpDecorate %uniforms DescriptorSet 1\nOpDecorate %uniforms Binding 0\n";
  assembly.declarations =
      "%length = OpConstant %uint 200\n%array = OpTypeArray %v4float %length\n%B = OpTypeStruct %array\n"
      "%ptr_B = OpTypePointer Uniform %B\n%uniforms = OpVariable %ptr_B Uniform\n"
      "%ptr_uniform = OpTypePointer Uniform %array\n%ptr_array = OpTypePointer Private %array\n"
      "%x = OpVariable %ptr_array Private\n%y = OpVariable %ptr_array Private\n"
      "%ptr_element = OpTypePointer Private %v4float\n";
  assembly.body = std::move(body);
  return assembly;
}

std::vector<lgc::BufferLoadOp *> uniformReads(Translated &translated) {
  std::vector<lgc::BufferLoadOp *> reads;
  for (auto *read : translated.all<lgc::BufferLoadOp>())
    if (auto *desc = llvm::dyn_cast<lgc::LoadBufferDescOp>(read->desc()); desc && desc->set() == 1)
      reads.push_back(read);
  return reads;
}

bool hasAggregate(Translated &translated) {
  for (auto *inst : translated.all<llvm::Instruction>())
    if (inst->getType()->isArrayTy() || inst->getType()->isStructTy())
      return true;
  return false;
}

} // namespace

TEST_CASE("of a large uniform that is loaded as a whole, only what is used is read") {
  Translated translated(withArrays("%place = OpAccessChain %ptr_uniform %uniforms %int_0\n"
                                   "%all = OpLoad %array %place\n%e = OpCompositeExtract %v4float %all 3\n"
                                   "%to = OpAccessChain %ptr_element %x %int_1\nOpStore %to %e\n"));
  CHECK(translated.error() == "");
  const auto reads = uniformReads(translated);
  REQUIRE(reads.size() == 1);
  CHECK(llvm::cast<llvm::ConstantInt>(reads[0]->byteOffset())->getZExtValue() == 48);
}

TEST_CASE("a large array goes from variable to variable by one copy") {
  Translated translated(withArrays("%all = OpLoad %array %x\nOpStore %y %all\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<llvm::MemCpyInst>());
  CHECK_FALSE(hasAggregate(translated));
}

TEST_CASE("a large array that is used behind a store is put aside before") {
  Assembly assembly = withArrays("%all = OpLoad %array %x\n%to = OpAccessChain %ptr_element %x %int_1\n"
                                 "OpStore %to %p\nOpStore %y %all\n");
  assembly.stage = lgc::ShaderStage::Fragment;
  Translated aside(assembly);
  CHECK(aside.error() == "");
  const std::vector<llvm::MemCpyInst *> copies = aside.all<llvm::MemCpyInst>();
  REQUIRE(copies.size() == 2);
  CHECK(copies[0]->getRawDest() == copies[1]->getRawSource());
  CHECK_FALSE(hasAggregate(aside));
}

TEST_CASE("a large array is copied from a buffer element by element, each loaded and stored in turn") {
  Translated translated(withArrays("%place = OpAccessChain %ptr_uniform %uniforms %int_0\n"
                                   "%all = OpLoad %array %place\nOpStore %x %all\n"));
  CHECK(translated.error() == "");
  const auto reads = uniformReads(translated);
  CHECK(reads.size() == 200);
  for (auto *read : reads)
    CHECK(llvm::isa<llvm::StoreInst>(read->user_back()));
  CHECK_FALSE(hasAggregate(translated));
}

TEST_CASE("insertions one behind the other share one temporary") {
  std::string body = "%v0 = OpLoad %array %x\n";
  for (unsigned i = 0; i < 100; ++i)
    body += "%v" + std::to_string(i + 1) + " = OpCompositeInsert %array %e %v" + std::to_string(i) + " " +
            std::to_string(i) + "\n";
  Translated translated(withArrays("%from = OpAccessChain %ptr_element %y %int_1\n%e = OpLoad %v4float %from\n" + body +
                                   "OpStore %x %v100\n"));
  CHECK(translated.error() == "");
  CHECK(translated.all<llvm::AllocaInst>().size() <= 4); // two variables, the loaded array, the array with the
                                                         // insertions
  CHECK(translated.all<llvm::MemCpyInst>().size() <= 3);
  CHECK(translated.all<llvm::StoreInst>().size() == 100);
}
