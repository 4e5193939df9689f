// SPDX-License-Identifier: MIT
//
// Part pipelines: a pipeline compiled in two parts, each of which can be found in a cache without the other. The
// fragment shader is compiled first, with the state that it depends on, and packs its inputs. The shaders in front of
// it then write what it reads, where it reads it. ElfLinker links both parts.
#pragma once

#include "parts/cache/part_maker.h"
#include "src/abi/interface/interface_fields.h"
#include "src/state/state_fields.h"
#include "variants/link/unlinked_shader.h"
#include <functional>

namespace dovetail {

// The facts of a fragment shader that the shaders in front of it must know.
struct FsInputMappings {
  SlotComponents components = {};      // that it reads
  std::vector<ColorInput> colorInputs; // of GL
  uint32_t clampedLocations = 0;       // the locations where a state that clamps GL's colours clamps them
  bool readsPrimitiveId = false;       // from a parameter
  std::vector<PackedParameter> packed; // the places of packed components

  bool operator==(const FsInputMappings &) const = default;
};
DOVETAIL_FIELDS(FsInputMappings, components, colorInputs, clampedLocations, readsPrimitiveId, packed)

// key: that of the fragment shader.
FsInputMappings mappingsOf(const ShaderInterface &fragment, const MainPartKey &key);

// Bytes for a client to hash together with the shaders that it compiles for them. Errors: InvalidInput for other bytes.
std::vector<uint8_t> encodeMappings(const FsInputMappings &mappings);
Result<FsInputMappings> decodeMappings(std::span<const uint8_t> bytes);

// Asked for each shader as soon as its inputs and outputs are known, with a hash of everything that its code depends
// on. It may return the file that a compile with the same hash gave; no code is then generated for the shader, which
// saves most of the compile. Empty: it has no file.
using CheckShaderCache = std::function<std::vector<uint8_t>(lgc::ShaderStage stage, const Hash128 &hash)>;

// Compiles the fragment shader of a set for this state: outputs that the state does not use are not computed, and
// inputs are packed. The other shaders of the set are ignored. Errors: those of the front end, the compiler and the
// epilog's key; InvalidInput if `checkCache` returns another shader's file.
Result<std::vector<uint8_t>> compileFragmentPart(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state,
                                                 const CheckShaderCache &checkCache = {});

// Compiles the other shaders for this state and a fragment shader with these inputs, each to a file of its own, in the
// order of the stages. Errors: those of the front end and the compiler; StateMismatch if the state contradicts them;
// InvalidInput as above.
Result<std::vector<std::vector<uint8_t>>> compileOtherPart(PartMaker &maker, const ShaderSet &shaders,
                                                           const PipelineState &state, const FsInputMappings &mappings,
                                                           const CheckShaderCache &checkCache = {});

} // namespace dovetail
