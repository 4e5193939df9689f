// SPDX-License-Identifier: MIT
#pragma once

#include "parts/cache/part_maker.h"
#include <doctest/doctest.h>
#include <memory>
#include <utility>

namespace dovetail {

// An Error fails the running test.
template <typename T> T must(Result<T> result) {
  if (!result)
    FAIL(result.error().text);
  return std::move(*result);
}

inline std::unique_ptr<PartMaker> makeMaker(const char *gpu = "gfx900") {
  return must(PartMaker::create(gpu));
}

} // namespace dovetail
