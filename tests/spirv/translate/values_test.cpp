// SPDX-License-Identifier: MIT
#include "tests/spirv/translate/workbench.h"
#include <doctest/doctest.h>
#include <llvm/IR/Constants.h>

using namespace dovetail;
using namespace dovetail::test;

namespace {

llvm::Value *valueOf(Workbench &bench, std::string_view name) {
  return bench.services().values.find(bench.id(name))->value;
}

} // namespace

TEST_CASE("an id stands for another value in each scope") {
  Workbench bench({}, {"uint_1", "p"});
  spirv::Values &values = bench.services().values;
  const uint32_t id = bench.id("p");
  spirv::ValueScope outer, inner;
  CHECK(values.enter(&outer) == nullptr);
  values.bind(id, {.value = bench.builder().getInt32(1)});
  CHECK(values.enter(&inner) == &outer);
  CHECK(values.find(id) == nullptr);
  values.bind(id, {.value = bench.builder().getInt32(2)});
  CHECK(constant(values.find(id)->value) == 2);
  CHECK(constant(valueOf(bench, "uint_1")) == 1); // global ids are known in every scope
  values.enter(&outer);
  CHECK(constant(values.find(id)->value) == 1);
  values.enter(nullptr);
}

TEST_CASE("an id without a value is refused by name") {
  Workbench bench({}, {"p"});
  Result<llvm::Value *> value = bench.services().values.number({}, bench.id("p"));
  REQUIRE_FALSE(value);
  CHECK(value.error().text == fmt::format("OpNop at word 0: operand %{} has no value here", bench.id("p")));
}

TEST_CASE("a constant integer is one of the module, or one that LLVM has folded") {
  Assembly assembly;
  assembly.declarations = "%sum = OpSpecConstantOp %uint IAdd %uint_3 %uint_4\n";
  Workbench bench(assembly, {"sum", "p", "in"});
  spirv::Values &values = bench.services().values;
  CHECK(values.constantInteger({}, bench.id("sum")).value() == 7);
  spirv::ValueScope scope;
  values.enter(&scope);
  values.bind(bench.id("p"), {.value = bench.builder().getInt32(5)});
  CHECK(values.constantInteger({}, bench.id("p")).value() == 5);
  values.bind(bench.id("p"), {.value = bench.services().main});
  CHECK_FALSE(values.constantInteger({}, bench.id("p")));
  values.enter(nullptr);
}

TEST_CASE("constants of each width and kind are LLVM's") {
  Assembly assembly;
  assembly.capabilities = "OpCapability Int64\nOpCapability Int8\n";
  assembly.declarations = "%long = OpTypeInt 64 1\n%byte = OpTypeInt 8 1\n%wide = OpConstant %long -2\n"
                          "%narrow = OpConstant %byte -2\n%pair = OpConstantComposite %v2int %int_1 %int_2\n"
                          "%none = OpConstantNull %v4float\n";
  Workbench bench(assembly, {"wide", "narrow", "pair", "none", "float_half"});
  CHECK(constant(valueOf(bench, "wide")) == ~uint64_t(1));
  CHECK(constant(valueOf(bench, "narrow")) == 0xfe);
  CHECK(valueOf(bench, "narrow")->getType()->isIntegerTy(8));
  auto *pair = llvm::dyn_cast<llvm::Constant>(valueOf(bench, "pair"));
  REQUIRE(pair);
  CHECK(constant(pair->getAggregateElement(1u)) == 2);
  auto *half = llvm::dyn_cast<llvm::ConstantFP>(valueOf(bench, "float_half"));
  REQUIRE(half);
  CHECK(half->isExactlyValue(0.5));
  CHECK(llvm::cast<llvm::Constant>(valueOf(bench, "none"))->isNullValue());
}

TEST_CASE("uses are counted over all functions, literals are left out") {
  Assembly assembly;
  assembly.body = "%a = OpCompositeExtract %float %p 1\n%b = OpFAdd %float %a %a\n";
  Workbench bench(assembly, {"a", "b", "p"});
  const spirv::Values &values = bench.services().values;
  CHECK(values.useCount(bench.id("a")) == 2);
  CHECK(values.useCount(bench.id("p")) == 1);
  CHECK(values.useCount(bench.id("b")) == 0);
}
