// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>

using namespace dovetail::test;

namespace {

// %word points to a uint in a storage block, %shared to one in shared memory.
Assembly onMemory(std::string body, std::string capabilities = "") {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.capabilities = std::move(capabilities);
  assembly.decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 8\n"
                         "OpDecorate %buffer DescriptorSet 0\nOpDecorate %buffer Binding 1\n";
  assembly.declarations =
      "%block = OpTypeStruct %uint\n%ptr_block = OpTypePointer StorageBuffer %block\n"
      "%ptr_word = OpTypePointer StorageBuffer %uint\n%buffer = OpVariable %ptr_block StorageBuffer\n"
      "%ptr_shared = OpTypePointer Workgroup %uint\n%shared = OpVariable %ptr_shared Workgroup\n";
  assembly.body = "%word = OpAccessChain %ptr_word %buffer %uint_0\n%n1 = OpCompositeExtract %int %n 0\n"
                  "%u1 = OpBitcast %uint %n1\n" +
                  body;
  return assembly;
}

lgc::AtomicOp bufferOp(const std::string &instruction) {
  Translated translated(onMemory("%r = " + instruction + "\n"));
  INFO(instruction);
  CHECK(translated.error() == "");
  auto *atomic = translated.only<lgc::BufferAtomicOp>();
  REQUIRE(atomic);
  return atomic->op();
}

} // namespace

TEST_CASE("each atomic on a buffer is one Builder operation") {
  CHECK(bufferOp("OpAtomicExchange %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::Swap);
  CHECK(bufferOp("OpAtomicIAdd %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::Add);
  CHECK(bufferOp("OpAtomicISub %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::Sub);
  CHECK(bufferOp("OpAtomicSMin %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::SMin);
  CHECK(bufferOp("OpAtomicUMin %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::UMin);
  CHECK(bufferOp("OpAtomicSMax %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::SMax);
  CHECK(bufferOp("OpAtomicUMax %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::UMax);
  CHECK(bufferOp("OpAtomicAnd %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::And);
  CHECK(bufferOp("OpAtomicOr %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::Or);
  CHECK(bufferOp("OpAtomicXor %uint %word %uint_1 %uint_0 %u1") == lgc::AtomicOp::Xor);
  CHECK(bufferOp("OpAtomicIIncrement %uint %word %uint_1 %uint_0") == lgc::AtomicOp::Add);
  CHECK(bufferOp("OpAtomicIDecrement %uint %word %uint_1 %uint_0") == lgc::AtomicOp::Sub);
}

TEST_CASE("atomic loads and stores bypass the vector cache") {
  Translated translated(
      onMemory("%r = OpAtomicLoad %uint %word %uint_1 %uint_0\nOpAtomicStore %word %uint_1 %uint_0 %u1\n"));
  CHECK(translated.error() == "");
  bool isCoherentLoad = false;
  for (auto *load : translated.all<lgc::BufferLoadOp>())
    isCoherentLoad |= (load->flags() & lgc::Coherent) != 0;
  CHECK(isCoherentLoad);
  REQUIRE(translated.only<lgc::BufferStoreOp>());
  CHECK((translated.only<lgc::BufferStoreOp>()->flags() & lgc::Coherent) != 0);
}

TEST_CASE("shared memory has LLVM's atomics, relaxed and within the workgroup") {
  Translated translated(onMemory("%r = OpAtomicUMax %uint %shared %uint_2 %uint_0 %u1\n"
                                 "%s = OpAtomicCompareExchange %uint %shared %uint_2 %uint_0 %uint_0 %u1 %r\n"));
  CHECK(translated.error() == "");
  auto *atomic = translated.only<llvm::AtomicRMWInst>();
  REQUIRE(atomic);
  CHECK(atomic->getOperation() == llvm::AtomicRMWInst::UMax);
  CHECK(atomic->getOrdering() == llvm::AtomicOrdering::Monotonic);
  CHECK(atomic->getPointerAddressSpace() == 3);
  CHECK(translated.only<llvm::AtomicCmpXchgInst>());
  CHECK(translated.all<lgc::MemoryBarrierOp>().empty());
}

TEST_CASE("acquire and release semantics put barriers behind and before the atomic") {
  // 72: AcquireRelease and UniformMemory.
  Translated both(onMemory("%r = OpAtomicIAdd %uint %word %uint_1 %uint_72 %u1\n"));
  CHECK(both.error() == "");
  CHECK(both.all<lgc::MemoryBarrierOp>().size() == 2);
  CHECK(both.all<lgc::MemoryBarrierOp>().front()->scope() == (lgc::BufferMemory | lgc::DeviceScope));
}

TEST_CASE("a workgroup barrier waits and orders shared memory on both sides") {
  // 264: AcquireRelease and WorkgroupMemory.
  Translated translated(onMemory("OpControlBarrier %uint_2 %uint_2 %uint_264\n"));
  CHECK(translated.error() == "");
  CHECK(translated.only<lgc::BarrierOp>());
  REQUIRE(translated.all<lgc::MemoryBarrierOp>().size() == 2);
  CHECK(translated.all<lgc::MemoryBarrierOp>().front()->scope() == lgc::WorkgroupMemory);
}

TEST_CASE("a subgroup barrier does not wait") {
  Translated translated(onMemory("OpControlBarrier %uint_3 %uint_3 %uint_264\n", "OpCapability GroupNonUniform\n"));
  CHECK(translated.error() == "");
  CHECK(translated.all<lgc::BarrierOp>().empty());
  CHECK(translated.all<lgc::MemoryBarrierOp>().size() == 1);
}
