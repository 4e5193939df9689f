// SPDX-License-Identifier: MIT
//
// Unlinked shaders: relocatable ELF files (parts/elf/part_elf.h) of single API shaders, with a note for ElfLinker.
// Apart from the shader itself, their code depends on little: the stage that follows, and options.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/shader_facts.h"

namespace dovetail {

// The type of the note with the shader's facts; its vendor is DovetailVendor.
constexpr uint32_t ShaderFactsNote = 2;

struct UnlinkedOptions {
  // Vertex and evaluation shaders: the stage that will follow.
  lgc::ShaderStage next = lgc::ShaderStage::Fragment;
  // Only the last shader in front of a fragment shader that reads gl_PrimitiveID: hand the number on.
  bool exportPrimitiveId = false;
  // The layout, if it has properties that change the shader's code (docs/linking.md); otherwise nullptr.
  ResourceLayoutRef layout = {};
};

// Compiles a shader for no particular pipeline. Thread-safe. Errors: those of the front end and the compiler.
Result<std::vector<uint8_t>> compileUnlinkedShader(PartMaker &maker, const ShaderRef &shader,
                                                   const UnlinkedOptions &options = {});

// The file of a part that was compiled from such a shader.
Result<std::vector<uint8_t>> writeShaderElf(const Part &part, const ShaderFacts &facts, const TargetInfo &target);

struct UnlinkedShader {
  PartRef part;
  ShaderFacts facts;
};

// Any bytes are safe to read. Errors: InvalidInput for bytes that are no file of writeShaderElf() for this GPU.
Result<UnlinkedShader> readShaderElf(std::span<const uint8_t> elf, const TargetInfo &target);

} // namespace dovetail
