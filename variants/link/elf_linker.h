// SPDX-License-Identifier: MIT
//
// ElfLinker: from unlinked shaders to a pipeline ELF. Each file is read into a part once; then the parts are joined
// with prologs and epilogs as those of any variant are (variants/build), so the result is the same, byte for byte. No
// compiler runs but for the copy shader of a geometry shader.
//
// LGC calls what stands around shaders glue, and so do the functions here: prologs, epilogs, the copy shader of a
// geometry shader, the null fragment shader. A client may keep glue in a cache of its own: getGlueInfo() says what is
// needed, addGlue() takes what it has. What it does not have is made.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/build/get_parts.h"
#include "variants/link/unlinked_shader.h"
#include "variants/variant.h"
#include <functional>

namespace dovetail {

// A piece of glue. `key` is everything that it depends on, the toolchain included, for a cache to hash; opaque.
struct GlueInfo {
  PartKind kind = PartKind::VertexProlog;
  std::vector<uint8_t> key;

  bool operator==(const GlueInfo &) const = default;
};

// Not thread-safe; several may share a PartMaker.
class ElfLinker {
public:
  // layout: nullptr if the shaders read no resources.
  ElfLinker(PartMaker &maker, PipelineState state, ResourceLayoutRef layout)
      : m_maker(maker), m_givenState(std::move(state)) {
    m_shaders.layout = std::move(layout);
  }

  // An unlinked shader, or one of a part pipeline. Errors: InvalidInput for what readShaderElf() does not take, and for
  // a second shader of a stage.
  Result<void> addInputElf(std::span<const uint8_t> elf);

  // All shaders must have been added. Errors: InvalidInput for shaders that make no pipeline or were compiled to stand
  // in front of others; StateMismatch where state and shaders contradict each other; Unsupported for a state that
  // changes the code of the fragment shader itself, and for a fragment shader that reads a number of the primitive
  // which the shader in front does not hand on: these have to be compiled knowing that.
  Result<std::vector<GlueInfo>> getGlueInfo();

  // `index`: of getGlueInfo(). Errors: those of getGlueInfo(); InvalidInput for a file of something else.
  Result<void> addGlue(size_t index, std::span<const uint8_t> elf);

  // The file that addGlue() takes. Errors: those of getGlueInfo() and of the part.
  Result<std::vector<uint8_t>> compileGlue(size_t index);

  // What the shaders in front of the fragment shader have to know of it (part_pipeline.h), opaque. Errors: InvalidInput
  // if no fragment shader was added.
  Result<std::vector<uint8_t>> getFsInputMappings() const;

  // The pipeline. Errors: those of getGlueInfo(), of the glue, and of joining.
  Result<VariantRef> linkVariant();
  // The same as a PAL ELF.
  Result<std::vector<uint8_t>> link();

private:
  struct Glue {
    using Make = std::function<Result<MadePart>(ElfLinker &)>;
    PartKey key;
    GlueInfo info;
    Make make;
  };

  Result<void> prepare();
  Result<void> checkStages() const;
  Result<void> listGlue();
  template <typename Key> void add(const Key &key, Glue::Make make);
  // What the geometry shader was compiled with, as its copy shader has to be.
  const StageKnowledge &geometryKnowledge() const;

  PartMaker &m_maker;
  PipelineState m_givenState, m_state; // the second one canonical
  ShaderSet m_shaders;                 // made of the files' facts
  CompiledStages m_stages;
  bool m_isPrepared = false; // m_state, m_programs, m_glue
  StageMap m_programs;
  std::vector<Glue> m_glue;
};

} // namespace dovetail
