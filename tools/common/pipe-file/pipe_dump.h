// SPDX-License-Identifier: MIT
//
// Reads Dovetail's own section of a pipeline file (variants/dump/pipeline_text.h). A device writes it when a build
// fails or takes long.
#pragma once

#include "src/state/pipeline_state.h"
#include "tools/common/fossilize/root_table.h"
#include "tools/common/pipe-file/pipe_sections.h"
#include "variants/shader.h"
#include <optional>

namespace dovetail::pipe_file {

class DumpReader {
public:
  // Keeps references to both. A null section means that the file has no such section, and nothing is read.
  DumpReader(const std::string &file, Section *section) : m_file(file), m_section(section) {}

  // LLVM's name; "": the file gives none.
  Result<std::string> readGpu();
  // Reads all members but words, name and stage. Errors of these functions: InvalidInput, with the line.
  Result<void> readShader(ShaderDescription &description);
  Result<std::optional<fossilize::RootTable>> readLayout();
  // Sets the whole state.
  Result<void> readState(PipelineState &state);

private:
  std::optional<std::string> take(const std::string &path);
  template <typename T> Result<void> read(const std::string &path, T &value);
  tl::unexpected<Error> wrong(const std::string &path) const;

  const std::string &m_file;
  Section *m_section;
};

} // namespace dovetail::pipe_file
