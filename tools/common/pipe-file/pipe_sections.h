// SPDX-License-Identifier: MIT
//
// Splits the text of LLPC's pipeline files (.pipe, as amdllpc reads them) into sections. "[VsGlsl]" begins a shader's
// text. In all other sections, each line is "path = value", with comments behind a semicolon.
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail::pipe_file {

enum class SourceForm : uint8_t { Glsl, SpirvAssembly, GlslFile, SpirvFile, SpirvAssemblyFile };

// A section with a shader: "[VsGlsl]", "[FragmentShaderSpirv]", "[CsSpvFile]".
struct SourceKind {
  lgc::ShaderStage stage;
  SourceForm form;
};

struct Value {
  std::string text;
  size_t line = 0; // from 1 on
  bool isTaken = false;
};

struct Section {
  std::string name; // without brackets
  size_t line = 0;  // of the name, from 1 on
  std::optional<SourceKind> source;
  std::string text;                    // of shaders
  std::map<std::string, Value> values; // by path without spaces: "userDataNode[0].type"
};

// The stage of "VsInfo"; nothing for other names.
std::optional<lgc::ShaderStage> stageOfInfo(std::string_view name);

// Errors: InvalidInput, with name and line, for a line outside of shaders that is neither a section nor "path = value".
Result<std::vector<Section>> parseSections(const std::string &name, std::string_view text);

// Takes values out of a section, and keeps the first error.
class SectionReader {
public:
  // Keeps references to both.
  SectionReader(const std::string &file, Section &section) : m_file(file), m_section(section) {}

  // Nothing if the path is missing. A value that is no number is an error.
  std::optional<uint64_t> number(const std::string &path);
  std::optional<bool> boolean(const std::string &path);
  std::optional<std::string> text(const std::string &path);
  // The indices of "path[0]", "path[3].x", in ascending order.
  std::vector<uint32_t> indices(const std::string &path) const;
  // An Error "file.pipe:12: …", with the first line that begins with this path, or with the line of the section.
  tl::unexpected<Error> wrong(const std::string &path, std::string_view what,
                              ErrorCode code = ErrorCode::InvalidInput) const;

  // The first error.
  Result<void> finish() const;
  const std::string &sectionName() const { return m_section.name; }

private:
  Value *find(const std::string &path);

  const std::string &m_file;
  Section &m_section;
  std::optional<Error> m_error;
};

} // namespace dovetail::pipe_file
