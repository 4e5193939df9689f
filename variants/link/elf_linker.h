// SPDX-License-Identifier: MIT
//
// ElfLinker: from unlinked shaders to a pipeline ELF. Each file is read into a part once; then the parts are joined
// with prologs and epilogs as those of any variant are (variants/assemble), so the result is the same, byte for byte.
// No compiler runs but for the copy shader of a geometry shader.
//
// LGC calls what stands around shaders glue, and so do the functions here: prologs, epilogs, the copy shader of a
// geometry shader, the null fragment shader. A client may keep glue in a cache of its own: getGlueInfo() says what is
// needed, addGlue() takes what it has. What it does not have is made.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/stage_dependencies.h"
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

  // What the pipeline says about compiling its shaders beside its state: options, stages, what gl_DeviceIndex is. Files
  // that were compiled otherwise are refused. Without it, these are as the files have them.
  void setFrontEndState(lgc::FrontEndState frontEnd) {
    m_frontEnd = std::move(frontEnd);
    m_isPrepared = false;
  }

  // An unlinked shader, or one of a part pipeline. Errors: InvalidInput for what readShaderElf() does not take, and for
  // a second shader of a stage.
  Result<void> addInputElf(std::span<const uint8_t> elf);

  // All shaders must have been added. Errors: InvalidInput for shaders that make no pipeline; StateMismatch where state
  // and shaders contradict each other; Unsupported for a shader that was compiled for something else than this pipeline
  // (stage_dependencies.h), and has to be compiled for it.
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
  Result<void> checkStageMask() const;
  Result<void> listGlue();
  template <typename Key> void add(const Key &key, Glue::Make make);
  // What the geometry shader was compiled with, as its copy shader has to be.
  const StageKnowledge &geometryKnowledge() const;

  PartMaker &m_maker;
  PipelineState m_givenState, m_state; // the second one canonical
  std::optional<lgc::FrontEndState> m_frontEnd;
  StageFacts m_facts;  // of the files
  ShaderSet m_shaders; // made of them
  CompiledStages m_stages;
  bool m_isPrepared = false; // m_state, m_programs, m_glue
  StageMap m_programs;
  std::vector<Glue> m_glue;
};

} // namespace dovetail
