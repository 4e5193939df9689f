// SPDX-License-Identifier: MIT
//
// Unlinked shaders: relocatable ELF files (parts/elf/part_elf.h) of single API shaders, with a note of what ElfLinker
// needs to know of each. What their code depends on beside the shader is little: which stage follows, and options.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/shader_facts.h"

namespace dovetail {

// The type of the note, of vendor DovetailVendor: the shader's facts.
constexpr uint32_t ShaderFactsNote = 2;

struct UnlinkedOptions {
  // Of vertex and evaluation shaders: the stage that will follow.
  lgc::ShaderStage next = lgc::ShaderStage::Fragment;
  // Of the last one in front of a fragment shader that reads gl_PrimitiveID: hands the number on.
  bool exportPrimitiveId = false;
  // What a layout will have that changes the shader's code (docs/linking.md); nullptr: nothing of the kind.
  ResourceLayoutRef layout = {};
};

// Compiles a shader that knows no pipeline. Thread-safe. Errors: those of the front end and the compiler.
Result<std::vector<uint8_t>> compileUnlinkedShader(PartMaker &maker, const ShaderRef &shader,
                                                   const UnlinkedOptions &options = {});

// The file of a part that such a shader became.
Result<std::vector<uint8_t>> writeShaderElf(const Part &part, const ShaderFacts &facts, const TargetInfo &target);

struct UnlinkedShader {
  PartRef part;
  ShaderFacts facts;
};

// Any bytes are safe to read. Errors: InvalidInput for what is no file of writeShaderElf() for this GPU.
Result<UnlinkedShader> readShaderElf(std::span<const uint8_t> elf, const TargetInfo &target);

} // namespace dovetail
