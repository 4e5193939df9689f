// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

// All instructions of a kind that the entry block has so far.
template <typename T> std::vector<T *> made(Workbench &bench) {
  std::vector<T *> found;
  for (llvm::Instruction &inst : *bench.services().entryBlock)
    if (auto *match = llvm::dyn_cast<T>(&inst))
      found.push_back(match);
  return found;
}

} // namespace

TEST_CASE("own memory: a bool is stored as a dword and loaded as a bit") {
  Workbench bench({}, {"bool"});
  spirv::OwnMemory &memory = bench.services().ownMemory;
  const spirv::Pointer place = memory.createTemporary(bench.type("bool"));
  REQUIRE(memory.store({}, place, memory.load(place, {}), {}));
  REQUIRE(made<llvm::StoreInst>(bench).size() == 1);
  CHECK(made<llvm::StoreInst>(bench)[0]->getValueOperand()->getType()->isIntegerTy(32));
  CHECK(made<llvm::LoadInst>(bench)[0]->getType()->isIntegerTy(32));
  CHECK(memory.load(place, {})->getType()->isIntegerTy(1));
}

TEST_CASE("own memory: a constant array is copied from a table, a vector is stored") {
  Assembly assembly;
  assembly.declarations = "%list = OpTypeArray %v4float %uint_2\n%one = OpConstantComposite %v4float %float_1 %float_1 "
                          "%float_1 %float_1\n%both = OpConstantComposite %list %one %one\n";
  Workbench bench(assembly, {"list", "both", "one", "v4float"});
  spirv::Services &s = bench.services();
  auto store = [&](std::string_view type, std::string_view value) {
    REQUIRE(s.ownMemory.store({}, s.ownMemory.createTemporary(bench.type(type)), s.values.find(bench.id(value))->value,
                              {}));
  };
  store("v4float", "one");
  CHECK(made<llvm::MemCpyInst>(bench).empty());
  store("list", "both");
  CHECK(made<llvm::MemCpyInst>(bench).size() == 1);
  CHECK(made<llvm::StoreInst>(bench).size() == 1);
}

TEST_CASE("own memory: variables of more than a MiB are refused") {
  Assembly assembly;
  assembly.declarations = "%length = OpConstant %uint 300000\n%list = OpTypeArray %float %length\n";
  Workbench bench(assembly, {"list", "float"});
  spirv::OwnMemory &memory = bench.services().ownMemory;
  CHECK(memory.createVariable({}, bench.type("float"), spv::StorageClass::Function));
  Result<spirv::Pointer> large = memory.createVariable({}, bench.type("list"), spv::StorageClass::Function);
  REQUIRE_FALSE(large);
  CHECK(large.error().text == "OpNop at word 0: variables of more than 1048576 bytes are not supported");
}

TEST_CASE("laid out memory: a structure is loaded member by member") {
  Assembly assembly;
  assembly.decorations = "OpMemberDecorate %S 0 Offset 4\nOpMemberDecorate %S 1 Offset 32\n"
                         "OpDecorate %list ArrayStride 8\n";
  assembly.declarations = "%list = OpTypeArray %float %uint_2\n%S = OpTypeStruct %list %v4float\n";
  Workbench bench(assembly, {"S"});
  spirv::Pointer from;
  from.kind = spirv::Pointer::Kind::Buffer;
  from.pointee = bench.id("S");
  from.base = bench.builder().CreateLoadBufferDesc(0, 0, bench.builder().getInt32(0), 0);
  from.offset = bench.builder().getInt32(100);
  llvm::Value *loaded = bench.services().laidOutMemory.load(from, {});
  CHECK(loaded->getType() == bench.type("S").value);
  std::vector<uint64_t> offsets;
  for (lgc::BufferLoadOp *load : made<lgc::BufferLoadOp>(bench))
    offsets.push_back(constant(load->byteOffset()).value_or(0));
  CHECK(offsets == std::vector<uint64_t>{104, 112, 132});
}

TEST_CASE("composites lie in memory only in functions, and only if they are large") {
  Assembly assembly;
  assembly.declarations = "%length = OpConstant %uint 128\n%large = OpTypeArray %float %length\n"
                          "%small = OpTypeArray %float %uint_4\n";
  Workbench bench(assembly, {"large", "small"});
  spirv::Composites &composites = bench.services().composites;
  CHECK_FALSE(composites.liesInMemory(bench.type("large")));
  spirv::ValueScope scope;
  bench.services().values.enter(&scope);
  CHECK(composites.liesInMemory(bench.type("large")));
  CHECK_FALSE(composites.liesInMemory(bench.type("small")));
  bench.services().values.enter(nullptr);
}
