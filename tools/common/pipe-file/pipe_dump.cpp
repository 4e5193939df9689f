// SPDX-License-Identifier: MIT
#include "tools/common/pipe-file/pipe_dump.h"
#include "src/base/field_lines.h"
#include "tools/common/inputs/state_file.h"
#include "variants/dump/pipeline_text.h"

namespace dovetail::pipe_file {

std::optional<std::string> DumpReader::take(const std::string &path) {
  return m_section ? SectionReader(m_file, *m_section).text(path) : std::nullopt;
}

tl::unexpected<Error> DumpReader::wrong(const std::string &path) const {
  return SectionReader(m_file, *m_section).wrong(path, "not a value that this can have");
}

template <typename T> Result<void> DumpReader::read(const std::string &path, T &value) {
  const auto takeText = [this](const std::string &each) { return take(each); };
  if (std::optional<std::string> where = readFieldLines(path, takeText, value))
    return wrong(*where);
  return {};
}

Result<std::string> DumpReader::readGpu() {
  std::string name;
  DOVETAIL_CHECK(read("gpu", name));
  return name;
}

Result<void> DumpReader::readShader(ShaderDescription &description) {
  if (!m_section)
    return {};
  Result<void> result;
  forEachDumpedField(description, [&](std::string_view name, auto &field) {
    if (result)
      result = read(fmt::format("{}.{}", DumpedStages[size_t(description.stage)], name), field);
  });
  return result;
}

Result<std::optional<fossilize::RootTable>> DumpReader::readLayout() {
  bool isThere = false;
  DOVETAIL_CHECK(read("hasLayout", isThere));
  if (!isThere)
    return std::nullopt;
  fossilize::RootTable table;
  DOVETAIL_CHECK(read("layout", table.nodes));
  DOVETAIL_CHECK(read("immutableSamplers", table.immutableSamplers));
  constexpr uint64_t MaxTableDwords = UINT32_MAX / 4; // offsets in code are 32-bit numbers of bytes
  for (size_t index = 0; index < table.nodes.size(); ++index) {
    const UserDataNode &node = table.nodes[index];
    if (uint64_t(node.offsetInDwords) + node.sizeInDwords >
        (isInLayout(node.type) ? table.immutableSamplers.size() : MaxTableDwords))
      return wrong(fmt::format("layout[{}]", index));
  }
  return table;
}

Result<void> DumpReader::readState(PipelineState &state) {
  bool isThere = false;
  DOVETAIL_CHECK(read("hasState", isThere));
  if (!isThere)
    return {};
  PipelineState whole;
  DOVETAIL_CHECK(read("state", whole));
  // The state goes through the text of a state file, which parseState() checks by name.
  state = DOVETAIL_TRY(parseState(printState(whole), m_file, PipelineState()));
  return {};
}

} // namespace dovetail::pipe_file
