// SPDX-License-Identifier: MIT
//
// The pixel shader of pipelines that have no fragment shader: it exports nothing. Pixels run a program all the same,
// and registers that a pipeline does not set keep what the last one left in them, so there is one, as in RADV
// (radv_pipeline.c, "noop_fs") and LLPC (lgc/patch/PatchNullFragShader.cpp).
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
