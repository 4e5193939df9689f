// SPDX-License-Identifier: MIT
//
// Objects of a database. What a later version of Vulkan has and these structs have not is named and ignored.
#pragma once

#include "tools/common/fossilize/objects.h"
#include <set>

namespace dovetail::fossilize {

// What was there and is ignored, each in a few words: "VkPipelineRobustnessCreateInfo", "stages/someMember".
using Ignored = std::set<std::string>;

// For each of the objects that kindOf() knows. Errors: those of Database::read(); InvalidInput, with the entry's offset
// and the place in its JSON, for an object that is not there or is not understood.
template <typename Object> Result<Object> readObject(const Database &database, ObjectHash hash, Ignored &ignored);

// A graphics pipeline with what its libraries give (VK_KHR_pipeline_library). Errors: also InvalidInput for libraries
// that link themselves.
Result<GraphicsPipeline> readLinkedPipeline(const Database &database, ObjectHash hash, Ignored &ignored);

// Whether it is only a part of a pipeline, which cannot be drawn with: VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.
bool isLibrary(const GraphicsPipeline &pipeline);

} // namespace dovetail::fossilize
