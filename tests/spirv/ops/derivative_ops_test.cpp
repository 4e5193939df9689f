// SPDX-License-Identifier: MIT
#include "src/lgc/ops/op.h"
#include "tests/spirv/assembled.h"
#include <doctest/doctest.h>

using namespace dovetail::test;

namespace {

Assembly derivative(const std::string &instruction) {
  Assembly assembly;
  assembly.capabilities = "OpCapability DerivativeControl\n";
  assembly.body = "%r = " + instruction + " %v4float %p\n";
  return assembly;
}

} // namespace

TEST_CASE("a derivative names its direction and fineness") {
  Translated x(derivative("OpDPdx"));
  REQUIRE(x.only<lgc::DerivativeOp>());
  CHECK(!x.only<lgc::DerivativeOp>()->isDirectionY());
  CHECK(x.only<lgc::DerivativeOp>()->isFine());
  Translated coarse(derivative("OpDPdxCoarse"));
  REQUIRE(coarse.only<lgc::DerivativeOp>());
  CHECK(!coarse.only<lgc::DerivativeOp>()->isFine());
  Translated y(derivative("OpDPdyFine"));
  REQUIRE(y.only<lgc::DerivativeOp>());
  CHECK(y.only<lgc::DerivativeOp>()->isDirectionY());
  CHECK(y.only<lgc::DerivativeOp>()->isFine());
}

TEST_CASE("a width is made of both derivatives") {
  Translated width(derivative("OpFwidthCoarse"));
  CHECK(width.error() == "");
  CHECK(width.all<lgc::DerivativeOp>().size() == 2);
  CHECK(width.intrinsics("llvm.fabs") == 2);
}
