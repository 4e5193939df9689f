// SPDX-License-Identifier: MIT
//
// Reads LLPC's pipeline files (.pipe), which drivers dump and amdllpc compiles.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipe-file/pipe_dump.h"
#include "tools/common/pipe-file/pipe_sections.h"
#include <set>

namespace dovetail {

// Reads the stages and the layout, and makes a pipeline of them; command lines use it through
// tools/common/pipelines/captured_pipeline.h.
class PipeFile {
public:
  // Errors: Io; InvalidInput, with the line.
  static Result<PipeFile> read(const std::string &path);
  // Does the same from text. `path` is the name in Errors, and the place from which other files are found.
  static Result<PipeFile> parse(const std::string &path, std::string_view text);

  std::set<lgc::ShaderStage> stages() const;
  // Errors: those of createShader(), GLSL and SPIR-V assembly, with lines of this file; InvalidInput for wrong
  // constants.
  Result<std::vector<ShaderRef>> readShaders(const ReadOptions &options);
  // Nothing if the file has no resource mapping, or if Dovetail's root tables cannot have the mapping; it is ignored
  // then. Errors: the others of addNodes() and addImmutableSamplers() (pipe_layout.h).
  Result<std::optional<fossilize::RootTable>> readLayout();
  // Puts the file's state over `state`. Errors: those of pipe_state.h; the caller calls checkState().
  Result<void> readState(PipelineState &state);
  // The GPU for which a device dumped the file (pipe_dump.h); "": the file gives none.
  Result<std::string> readGpu();
  // The fields and sections that the other functions did not read, a text for each section. To be called after the
  // others.
  std::vector<std::string> ignored() const;

private:
  void ignoreLayout(const Error &why);
  pipe_file::DumpReader dump();

  std::string m_path;
  std::vector<pipe_file::Section> m_sections;
  std::string m_ignoredLayout; // why the layout is ignored; empty: it is not
};

} // namespace dovetail
