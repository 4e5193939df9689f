// SPDX-License-Identifier: MIT
//
// A pipeline compiled in each of the ways that LGC knows (docs/lgc.md), as an ELF file that is read back before
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
  Whole,    // all shaders at once, each knowing the others
  Unlinked, // an ELF file of each shader, which a linker joins
  Part,     // the fragment shader first, then the others for its inputs, then the linker
};
constexpr unsigned PipelineModeCount = 4;
std::string_view toString(PipelineMode mode);
std::vector<std::string> modeNames();
// Of these names, each of which is a mode's.
std::vector<PipelineMode> modesOf(const std::vector<std::string> &names);

struct LinkedPipeline {
  std::vector<uint8_t> elf;
  ImageRef made;  // what was written
  ImageRef image; // what was read back
  // Unlinked, Part: why the linker refused and the whole pipeline was compiled instead; empty: it did not.
  std::string refusal;
};

// Shaders become files with `compiler`, and files a pipeline with `linker`, which is to be another one so that nothing
// but files gets from one to the other. The linker is given its glue as files, too. Errors: those of building the
// variant, and CheckFailed if the linker has compiled something.
Result<LinkedPipeline> buildInMode(PartMaker &compiler, PartMaker &linker, const ShaderSet &shaders,
                                   const PipelineState &state, PipelineMode mode);

} // namespace dovetail
