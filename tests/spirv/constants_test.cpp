// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

using namespace dovetail::test;

namespace {

// Writes %x, an int or uint, to location 0.
Assembly storing(std::string declarations, std::string decorations = "", std::string type = "%int") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %out Location 0\n" + decorations;
  assembly.declarations =
      declarations + "%ptr_out = OpTypePointer Output " + type + "\n%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%out";
  assembly.body = "OpStore %out %x\n";
  return assembly;
}

int64_t stored(const Assembly &assembly, std::vector<dovetail::spirv::SpecConstant> specConstants = {}) {
  Translated translated(assembly, std::move(specConstants));
  CHECK(translated.error() == "");
  auto *store = translated.only<llvm::StoreInst>();
  REQUIRE(store);
  auto *constant = llvm::dyn_cast<llvm::ConstantInt>(store->getValueOperand());
  REQUIRE(constant);
  return constant->getSExtValue();
}

} // namespace

TEST_CASE("a specialisation constant has its default or the given value") {
  Assembly assembly = storing("%x = OpSpecConstant %int -7\n", "OpDecorate %x SpecId 3\n");
  CHECK(stored(assembly) == -7);
  CHECK(stored(assembly, {{3, 12}}) == 12);
  CHECK(stored(assembly, {{4, 12}}) == -7);
}

TEST_CASE("operations on specialisation constants fold") {
  auto folded = [](std::string operation) {
    return stored(
        storing("%s = OpSpecConstant %int 6\n%m = OpConstant %int -4\n%x = OpSpecConstantOp %int " + operation + "\n",
                "OpDecorate %s SpecId 0\n"),
        {{0, 9}});
  };
  CHECK(folded("IAdd %s %int_1") == 10);
  CHECK(folded("SDiv %s %m") == -2);
  CHECK(folded("SRem %s %m") == 1);
  CHECK(folded("SMod %s %m") == -3);
  CHECK(folded("SMod %m %s") == 5);
  CHECK(folded("ShiftLeftLogical %s %int_2") == 36);
  CHECK(folded("Not %s") == -10);
  CHECK(folded("SDiv %s %int_0") == 9); // undefined, but no trap
}

TEST_CASE("a specialised bool selects") {
  Assembly assembly = storing("%b = OpSpecConstantTrue %bool\n%x = OpSpecConstantOp %int Select %b %int_1 %int_2\n",
                              "OpDecorate %b SpecId 8\n");
  CHECK(stored(assembly) == 1);
  CHECK(stored(assembly, {{8, 0}}) == 2);
}

TEST_CASE("an array's length may be specialised") {
  Assembly assembly;
  assembly.decorations = "OpDecorate %length SpecId 1\nOpDecorate %out Location 0\n";
  assembly.declarations = "%length = OpSpecConstant %uint 4\n%array = OpTypeArray %float %length\n"
                          "%ptr_array = OpTypePointer Private %array\n%variable = OpVariable %ptr_array Private\n"
                          "%ptr_float = OpTypePointer Private %float\n"
                          "%ptr_out = OpTypePointer Output %float\n%out = OpVariable %ptr_out Output\n";
  assembly.interface = "%out";
  assembly.body =
      "%element = OpAccessChain %ptr_float %variable %uint_2\n%e = OpLoad %float %element\nOpStore %out %e\n";
  Translated translated(assembly, {{1, 17}});
  CHECK(translated.error() == "");
  bool found = false;
  for (auto *variable : translated.all<llvm::AllocaInst>())
    found |= variable->getAllocatedType()->isArrayTy() && variable->getAllocatedType()->getArrayNumElements() == 17;
  CHECK(found);
}

TEST_CASE("an array of no or of very many elements is refused") {
  Assembly assembly = storing("%length = OpSpecConstant %uint 4\n%array = OpTypeArray %float %length\n"
                              "%x = OpConstant %int 1\n",
                              "OpDecorate %length SpecId 1\n");
  CHECK(stored(assembly) == 1);
  CHECK(Translated(assembly, {{1, 0}}).error().find("array of 0 elements") != std::string::npos);
  CHECK(Translated(assembly, {{1, 0xffffffff}}).error().find("elements is not supported") != std::string::npos);
}

TEST_CASE("the workgroup size is the specialised built-in") {
  Assembly assembly;
  assembly.stage = lgc::ShaderStage::Compute;
  assembly.decorations = "OpDecorate %x SpecId 0\nOpDecorate %size BuiltIn WorkgroupSize\n";
  assembly.declarations = "%x = OpSpecConstant %uint 8\n%size = OpSpecConstantComposite %v3uint %x %uint_2 %uint_1\n";
  Translated translated(assembly, {{0, 16}});
  REQUIRE(translated.error() == "");
  lgc::ShaderModes modes;
  REQUIRE(modes.read(translated.module()));
  CHECK(modes.stage == lgc::ShaderStage::Compute);
  CHECK(modes.compute.workgroupSizeX == 16);
  CHECK(modes.compute.workgroupSizeY == 2);
  CHECK(modes.compute.workgroupSizeZ == 1);
  CHECK(Translated(assembly, {{0, 0}}).error().find("0 x 2 x 1") != std::string::npos);
  CHECK(Translated(assembly, {{0, 1000}}).error().find("1000 x 2 x 1") != std::string::npos);
}
