// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"

// Calls a Vulkan function. If it fails, returns an Unsupported Error with the call and its result.
#define DOVETAIL_CHECK_VK(call)                                                                                        \
  do {                                                                                                                 \
    if (VkResult result = (call); result != VK_SUCCESS)                                                                \
      return makeError(ErrorCode::Unsupported, "RADV: {} gives {}", #call, static_cast<int>(result));                  \
  } while (false)
