// SPDX-License-Identifier: MIT
#include "parts/compile/compiler_pool.h"
#include <doctest/doctest.h>

using namespace dovetail;

TEST_CASE("an unknown GPU is an Error that names it") {
  auto pool = CompilerPool::create("gfx42");
  REQUIRE_FALSE(pool);
  CHECK((pool.error().code == ErrorCode::UnknownGpu));
  CHECK(pool.error().text.find("gfx42") != std::string::npos);
}

TEST_CASE("a compiler that was given back is handed out again") {
  auto pool = *CompilerPool::create("gfx900");
  lgc::BuilderContext *first = nullptr;
  {
    CompilerPool::Lease lease = *pool->lease();
    first = &*lease;
    CHECK(pool->idleCount() == 0);
  }
  CHECK(pool->idleCount() == 1);
  CHECK(&**pool->lease() == first);
}

TEST_CASE("two leases at the same time are two compilers") {
  auto pool = *CompilerPool::create("gfx900");
  CompilerPool::Lease first = *pool->lease();
  CompilerPool::Lease second = *pool->lease();
  CHECK(&*first != &*second);
}
