// SPDX-License-Identifier: MIT
//
// LLPC's pipeline files (.pipe): what drivers dump and amdllpc compiles.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/inputs/read_shaders.h"
#include "tools/common/pipe-file/pipe_dump.h"
#include "tools/common/pipe-file/pipe_sections.h"
#include <set>

namespace dovetail {

// Reads the stages and the layout, and gives what they come to as a pipeline;
// tools/common/pipelines/captured_pipeline.h is how command lines come to it.
class PipeFile {
public:
  // Errors: Io; InvalidInput, with the line.
  static Result<PipeFile> read(const std::string &path);
  // The same from text; `path` is what Errors call it, and where other files are looked for.
  static Result<PipeFile> parse(const std::string &path, std::string_view text);

  std::set<lgc::ShaderStage> stages() const;
  // Errors: those of createShader(), GLSL and SPIR-V assembly, with lines of this file; InvalidInput for wrong
  // constants.
  Result<std::vector<ShaderRef>> readShaders(const ReadOptions &options);
  // Nothing if the file has no resource mapping, or one that our root tables cannot have, which is ignored then.
  // Errors: the others of addNodes() and addImmutableSamplers() (pipe_layout.h).
  Result<std::optional<fossilize::RootTable>> readLayout();
  // Puts the file's state over the one that is given. Errors: those of pipe_state.h; checkState()'s are the caller's.
  Result<void> readState(PipelineState &state);
  // Of whom a device dumped the file for (pipe_dump.h); "": the file does not say it.
  Result<std::string> readGpu();
  // After the others: the fields and sections that none of them looked at, a text for each section.
  std::vector<std::string> ignored() const;

private:
  void ignoreLayout(const Error &why);
  pipe_file::DumpReader dump();

  std::string m_path;
  std::vector<pipe_file::Section> m_sections;
  std::string m_ignoredLayout; // what there is to say of it
};

} // namespace dovetail
