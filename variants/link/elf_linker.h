// SPDX-License-Identifier: MIT
//
// ElfLinker makes a pipeline ELF of unlinked shaders. Each file is read into a part once. Then the parts are joined
// with prologs and epilogs like those of any variant (variants/assemble), so the result is the same, byte for byte. The
// compiler runs only for the copy shader of a geometry shader.
//
// LGC's word for the code around shaders is glue. In this file's functions, glue means prologs, epilogs, the copy
// shader of a geometry shader, and the null fragment shader. A client may keep glue in a cache of its own:
// getGlueInfo() lists the glue that is needed, addGlue() takes what the client has. The rest is made.
#pragma once

#include "parts/cache/part_maker.h"
#include "variants/assemble/get_parts.h"
#include "variants/link/stage_dependencies.h"
#include "variants/link/unlinked_shader.h"
#include "variants/variant.h"
#include <functional>

namespace dovetail {

// A piece of glue. `key` has everything that it depends on, including the toolchain, for a cache to hash; opaque.
struct GlueInfo {
  PartKind kind = PartKind::VertexProlog;
  std::vector<uint8_t> key;

  bool operator==(const GlueInfo &) const = default;
};

// Not thread-safe; several linkers may share a PartMaker.
class ElfLinker {
public:
  // layout: nullptr if the shaders read no resources.
  ElfLinker(PartMaker &maker, PipelineState state, ResourceLayoutRef layout)
      : m_maker(maker), m_givenState(std::move(state)) {
    m_shaders.layout = std::move(layout);
  }

  // Sets what the pipeline says about compiling its shaders, in addition to its state: options, stages, the value of
  // gl_DeviceIndex. Files that were compiled differently are refused. Without this call, these are as in the files.
  void setFrontEndState(lgc::FrontEndState frontEnd) {
    m_frontEnd = std::move(frontEnd);
    m_isPrepared = false;
  }

  // Adds an unlinked shader, or one of a part pipeline. Errors: InvalidInput for files that readShaderElf() does not
  // take, and for a second shader of a stage.
  Result<void> addInputElf(std::span<const uint8_t> elf);

  // To be called after all shaders were added. Errors: InvalidInput for shaders that make no pipeline; StateMismatch if
  // state and shaders contradict each other; Unsupported for a shader that was compiled for something else than this
  // pipeline (stage_dependencies.h), and must be compiled for it.
  Result<std::vector<GlueInfo>> getGlueInfo();

  // `index`: into getGlueInfo(). Errors: those of getGlueInfo(); InvalidInput for a file of another piece.
  Result<void> addGlue(size_t index, std::span<const uint8_t> elf);

  // Makes the file that addGlue() takes. Errors: those of getGlueInfo() and of the part.
  Result<std::vector<uint8_t>> compileGlue(size_t index);

  // The facts of the fragment shader that the shaders in front of it must know (part_pipeline.h), opaque. Errors:
  // InvalidInput if no fragment shader was added.
  Result<std::vector<uint8_t>> getFsInputMappings() const;

  // The linked pipeline. Errors: those of getGlueInfo(), of the glue, and of joining.
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
  // The knowledge that the geometry shader was compiled with; its copy shader needs the same.
  const StageKnowledge &geometryKnowledge() const;

  PartMaker &m_maker;
  PipelineState m_givenState, m_state; // the second one is canonical
  std::optional<lgc::FrontEndState> m_frontEnd;
  StageFacts m_facts;  // of the files
  ShaderSet m_shaders; // made of m_facts
  CompiledStages m_stages;
  bool m_isPrepared = false; // whether m_state, m_programs and m_glue are filled in
  StageMap m_programs;
  std::vector<Glue> m_glue;
};

} // namespace dovetail
