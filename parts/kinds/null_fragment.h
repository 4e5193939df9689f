// SPDX-License-Identifier: MIT
//
// The pixel shader of pipelines that have no fragment shader; it exports nothing. Such a pipeline needs one: pixels run
// a program anyway, and registers that a pipeline does not set keep the values of the last one. RADV (radv_pipeline.c,
// "noop_fs") and LLPC (lgc/patch/PatchNullFragShader.cpp) do the same.
#pragma once

#include "parts/part.h"
#include "src/base/error.h"
#include "src/base/fields.h"
#include <string>

namespace dovetail {

struct NullFragmentKey {
  std::string gpuName;

  bool operator==(const NullFragmentKey &) const = default;

  PartKey partKey() const;
  std::string describe() const;
};
DOVETAIL_FIELDS(NullFragmentKey, gpuName)

// Encoded directly. Errors: UnknownGpu.
Result<PartRef> makeNullFragment(const NullFragmentKey &key);

} // namespace dovetail
