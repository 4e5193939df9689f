// SPDX-License-Identifier: MIT
//
// Compiles a pipeline in each of the ways that LGC knows (docs/lgc.md), as an ELF file. The file is read back before
// anything is drawn with it.
#pragma once

#include "merge/image.h"
#include "parts/cache/part_maker.h"
#include "variants/shader.h"
#include "variants/variant.h"
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

enum class PipelineMode : uint8_t {
  Joined,   // main parts from the cache, in this process
  Whole,    // all shaders at once; each knows the others
  Unlinked, // an ELF file for each shader, which a linker joins
  Part,     // the fragment shader first, then the others for its inputs, then the linker
};
constexpr unsigned PipelineModeCount = 4;
std::string_view toString(PipelineMode mode);
std::vector<std::string> modeNames();
// The modes of these names; each must be the name of a mode.
std::vector<PipelineMode> modesOf(const std::vector<std::string> &names);

struct LinkedPipeline {
  std::vector<uint8_t> elf;
  ImageRef made;  // the image that was written
  ImageRef image; // the image that was read back
  // Unlinked, Part: why the linker refused, so that the whole pipeline was compiled instead; empty: it did not refuse.
  std::string refusal;
};

// `compiler` makes files of shaders, and `linker` makes a pipeline of the files. They must be different, so that only
// files get from one to the other. The linker gets its glue as files, too. Errors: those of building the variant, and
// CheckFailed if the linker has compiled something.
Result<LinkedPipeline> buildInMode(PartMaker &compiler, PartMaker &linker, const ShaderSet &shaders,
                                   const PipelineState &state, PipelineMode mode);

} // namespace dovetail
