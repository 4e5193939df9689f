// SPDX-License-Identifier: MIT
//
// Part pipelines: a pipeline compiled in two parts, of which each can be found in a cache without the other. The
// fragment shader is compiled first, with the state that concerns it, and packs its inputs; the shaders in front of it
// then write what it reads, where it reads it. ElfLinker links both.
#pragma once

#include "parts/cache/part_maker.h"
#include "src/abi/interface/interface_fields.h"
#include "src/state/state_fields.h"
#include "variants/link/unlinked_shader.h"
#include <functional>

namespace dovetail {

// What shaders in front of a fragment shader have to know of it.
struct FsInputMappings {
  SlotComponents components = {};      // that it reads
  std::vector<ColorInput> colorInputs; // of GL
  uint32_t clampedLocations = 0;       // where a state that clamps GL's colours does so
  bool readsPrimitiveId = false;       // from a parameter
  std::vector<PackedParameter> packed; // where components travel

  bool operator==(const FsInputMappings &) const = default;
};
DOVETAIL_FIELDS(FsInputMappings, components, colorInputs, clampedLocations, readsPrimitiveId, packed)

// key: what the fragment shader was compiled for.
FsInputMappings mappingsOf(const ShaderInterface &fragment, const MainPartKey &key);

// Bytes that a client hashes with the shaders that it is going to compile for them. Errors: InvalidInput for others.
std::vector<uint8_t> encodeMappings(const FsInputMappings &mappings);
Result<FsInputMappings> decodeMappings(std::span<const uint8_t> bytes);

// Asked for each shader once it is known what it has to read and write, with a hash of all that its code depends on. It
// may return the file that a compile with the same hash gave: no code is generated for the shader then, which is most
// of a compile. Empty: it has none.
using CheckShaderCache = std::function<std::vector<uint8_t>(lgc::ShaderStage stage, const Hash128 &hash)>;

// The fragment shader of a set, for this state: what the state has no use for is not computed, and inputs are packed.
// The others of the set are not looked at. Errors: those of the front end, the compiler and the epilog's key;
// InvalidInput for a file of `checkCache` that is another one.
Result<std::vector<uint8_t>> compileFragmentPart(PartMaker &maker, const ShaderSet &shaders, const PipelineState &state,
                                                 const CheckShaderCache &checkCache = {});

// The others, for this state and a fragment shader with these inputs; each as a file of its own, in the order of the
// stages. Errors: those of the front end and the compiler; StateMismatch if the state contradicts them;
// InvalidInput as above.
Result<std::vector<std::vector<uint8_t>>> compileOtherPart(PartMaker &maker, const ShaderSet &shaders,
                                                           const PipelineState &state, const FsInputMappings &mappings,
                                                           const CheckShaderCache &checkCache = {});

} // namespace dovetail
