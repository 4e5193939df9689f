// SPDX-License-Identifier: MIT
//
// Reads the objects of a database. Members of later Vulkan versions that these structs lack are ignored and named.
#pragma once

#include "tools/common/fossilize/objects.h"
#include <set>

namespace dovetail::fossilize {

// Ignored structs and members, each in a few words: "VkPipelineRobustnessCreateInfo", "stages/someMember".
using Ignored = std::set<std::string>;

// For each object type that kindOf() knows. Errors: those of Database::read(); InvalidInput, with the entry's offset
// and the place in its JSON, for an object that is missing or not understood.
template <typename Object> Result<Object> readObject(const Database &database, ObjectHash hash, Ignored &ignored);

// Reads a graphics pipeline and adds what its libraries give (VK_KHR_pipeline_library). Errors: also InvalidInput for
// libraries that link themselves.
Result<GraphicsPipeline> readLinkedPipeline(const Database &database, ObjectHash hash, Ignored &ignored);

// Whether it is only a part of a pipeline, with which nothing can be drawn: VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.
bool isLibrary(const GraphicsPipeline &pipeline);

} // namespace dovetail::fossilize
