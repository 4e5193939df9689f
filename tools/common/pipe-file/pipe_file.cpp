// SPDX-License-Identifier: MIT
#include "tools/common/pipe-file/pipe_file.h"
#include "src/spirv/validate/validate.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/earlier_stages.h"
#include "tools/common/inputs/glsl.h"
#include "tools/common/inputs/spirv/spirv_assembly.h"
#include "tools/common/pipe-file/number_list.h"
#include "tools/common/pipe-file/pipe_layout.h"
#include "tools/common/pipe-file/pipe_state.h"
#include "variants/dump/pipeline_text.h"
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/ranges.h>

namespace dovetail {

namespace {

using namespace pipe_file;

// Puts empty lines before the text, as many as the file has lines before it, so that messages have the file's line
// numbers. Only comments may precede #version, and in ES not even an empty line: so with #version, the empty lines come
// behind its line.
std::string inPlace(const Section &section) {
  const std::string lines(section.line, '\n');
  const size_t firstEnd = section.text.find('\n');
  if (!section.text.starts_with("#version") || firstEnd == std::string::npos)
    return lines + section.text;
  return section.text.substr(0, firstEnd) + lines + section.text.substr(firstEnd);
}

// Words in hexadecimal digits, with commas and 0x or without, if the text begins with SPIR-V's magic number.
std::optional<std::vector<uint32_t>> parseHexWords(std::string_view text) {
  constexpr uint32_t SpirvMagic = 0x07230203;
  constexpr std::string_view Between = " \t\r\n,";
  std::vector<uint32_t> words;
  while (true) {
    const size_t begin = text.find_first_not_of(Between);
    if (begin == std::string_view::npos)
      break;
    std::string_view word = text.substr(begin, text.find_first_of(Between, begin) - begin);
    text.remove_prefix(begin + word.size());
    if (word.starts_with("0x"))
      word.remove_prefix(2);
    uint32_t value = 0;
    auto [end, failure] = std::from_chars(word.data(), word.data() + word.size(), value, 16);
    if (failure != std::errc() || end != word.data() + word.size() || (words.empty() && value != SpirvMagic))
      return std::nullopt;
    words.push_back(value);
  }
  return words.empty() ? std::nullopt : std::optional(std::move(words));
}

// The data of specConst, whatever type its list has.
Result<std::vector<uint8_t>> readSpecData(SectionReader &section) {
  for (const char *name : {"specConst.uintData", "specConst.intData"})
    if (const std::optional<std::string> list = section.text(name))
      return parseList<uint32_t>(section, name, *list, parseInteger);
  for (const char *name : {"specConst.uint64Data", "specConst.int64Data"})
    if (const std::optional<std::string> list = section.text(name))
      return parseList<uint64_t>(section, name, *list, parseInteger);
  if (const std::optional<std::string> list = section.text("specConst.floatData"))
    return parseList<float>(section, "specConst.floatData", *list, std::strtof);
  if (const std::optional<std::string> list = section.text("specConst.doubleData"))
    return parseList<double>(section, "specConst.doubleData", *list, std::strtod);
  return std::vector<uint8_t>();
}

Result<std::vector<spirv::SpecConstant>> readSpecConstants(SectionReader &section) {
  const std::vector<uint8_t> data = DOVETAIL_TRY(readSpecData(section));
  std::vector<spirv::SpecConstant> constants;
  for (uint32_t index : section.indices("specConst.mapEntry")) {
    const std::string path = fmt::format("specConst.mapEntry[{}]", index);
    const uint64_t offset = section.number(path + ".offset").value_or(0);
    const uint64_t size = section.number(path + ".size").value_or(0);
    if (size > 8 || offset > data.size() || size > data.size() - offset)
      return section.wrong(path, fmt::format("{} bytes at offset {} of {}", size, offset, data.size()));
    spirv::SpecConstant &constant = constants.emplace_back();
    constant.id = uint32_t(section.number(path + ".constantID").value_or(0));
    for (uint64_t byte = 0; byte < size; ++byte)
      constant.value |= uint64_t(data[offset + byte]) << (8 * byte);
  }
  DOVETAIL_CHECK(section.finish());
  return constants;
}

} // namespace

Result<PipeFile> PipeFile::read(const std::string &path) {
  return parse(path, DOVETAIL_TRY(readWholeFile(path)));
}

Result<PipeFile> PipeFile::parse(const std::string &path, std::string_view text) {
  PipeFile file;
  file.m_path = path;
  file.m_sections = DOVETAIL_TRY(parseSections(path, text));
  for (const Section &section : file.m_sections)
    if (section.name == "RayTracingPipelineState" || section.name.starts_with("rgen"))
      return makeError(ErrorCode::Unsupported, "{}:{}: [{}]: ray tracing", path, section.line, section.name);
    else if (section.name == "TaskInfo" || section.name == "MeshInfo")
      return makeError(ErrorCode::Unsupported, "{}:{}: [{}]: mesh shaders", path, section.line, section.name);
  if (file.stages().empty())
    return makeError(ErrorCode::InvalidInput, "{}: no section has a shader", path);
  return file;
}

std::set<lgc::ShaderStage> PipeFile::stages() const {
  std::set<lgc::ShaderStage> stages;
  for (const Section &section : m_sections)
    if (section.source)
      stages.insert(section.source->stage);
  return stages;
}

DumpReader PipeFile::dump() {
  const auto section = std::ranges::find(m_sections, DumpSection, &Section::name);
  return DumpReader(m_path, section == m_sections.end() ? nullptr : &*section);
}

Result<std::string> PipeFile::readGpu() {
  return dump().readGpu();
}

Result<std::vector<ShaderRef>> PipeFile::readShaders(const ReadOptions &options) {
  const GlslOptions glsl = {
      .defines = options.defines, .includeFolders = options.includeFolders, .sourceLines = options.sourceLines};
  std::vector<ShaderRef> shaders;
  for (Section &section : m_sections) {
    if (!section.source)
      continue;
    ShaderDescription description;
    description.stage = section.source->stage;
    description.name = m_path;
    SectionReader reader(m_path, section);
    if (section.source->form == SourceForm::Glsl) {
      description.words = DOVETAIL_TRY(translateGlsl({{description.stage, m_path, inPlace(section)}}, glsl)).front();
    } else if (section.source->form == SourceForm::SpirvAssembly) {
      std::optional<std::vector<uint32_t>> words = parseHexWords(section.text);
      description.words = words ? std::move(*words) : DOVETAIL_TRY(assembleSpirv(m_path, inPlace(section)));
    } else {
      const std::string name = reader.text("fileName").value_or("");
      if (name.empty())
        return reader.wrong("fileName", "not given");
      const std::string other = (std::filesystem::path(m_path).parent_path() / name).string();
      description.name = other;
      const std::string content = DOVETAIL_TRY(readWholeFile(other));
      if (section.source->form == SourceForm::GlslFile)
        description.words = DOVETAIL_TRY(translateGlsl({{description.stage, other, content,
                                                         languageOfFileName(other).value_or(SourceLanguage::Glsl)}},
                                                       glsl))
                                .front();
      else if (section.source->form == SourceForm::SpirvAssemblyFile)
        description.words = DOVETAIL_TRY(assembleSpirv(other, content));
      else
        description.words =
            DOVETAIL_TRY(spirv::readWords({reinterpret_cast<const uint8_t *>(content.data()), content.size()}));
    }
    for (Section &info : m_sections)
      if (stageOfInfo(info.name) == description.stage) {
        SectionReader infoReader(m_path, info);
        if (const std::optional<std::string> entryPoint = infoReader.text("entryPoint"))
          description.entryPoint = *entryPoint;
        description.specConstants = DOVETAIL_TRY(readSpecConstants(infoReader));
      }
    DOVETAIL_CHECK(dump().readShader(description));
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  DOVETAIL_CHECK(addEarlierStages(shaders));
  return shaders;
}

Result<std::optional<fossilize::RootTable>> PipeFile::readLayout() {
  if (std::optional<fossilize::RootTable> dumped = DOVETAIL_TRY(dump().readLayout()))
    return dumped;
  fossilize::RootTable table;
  bool hasNodes = false;
  // Immutable samplers replace nodes, so the nodes of all sections are added first.
  const auto addOf = [&](auto add, auto &to) -> Result<void> {
    for (Section &section : m_sections) {
      if (section.name != "ResourceMapping" && !stageOfInfo(section.name))
        continue;
      SectionReader reader(m_path, section);
      hasNodes |= !reader.indices("userDataNode").empty();
      DOVETAIL_CHECK(add(reader, to));
    }
    return {};
  };
  Result<void> added = addOf(addNodes, table.nodes);
  if (added)
    added = addOf(addImmutableSamplers, table);
  if (!added && added.error().code == ErrorCode::Unsupported) {
    ignoreLayout(added.error());
    return std::nullopt;
  }
  DOVETAIL_CHECK(added);
  return hasNodes ? std::optional(std::move(table)) : std::nullopt;
}

void PipeFile::ignoreLayout(const Error &why) {
  m_ignoredLayout = fmt::format("the root table ({})", why.text);
  for (Section &section : m_sections)
    for (auto &[path, value] : section.values)
      value.isTaken |= path.starts_with("userDataNode") || path.starts_with("descriptorRangeValue");
}

Result<void> PipeFile::readState(PipelineState &state) {
  for (Section &section : m_sections) {
    SectionReader reader(m_path, section);
    if (section.name == "VertexInputState")
      DOVETAIL_CHECK(readVertexInput(reader, state));
    if (section.name == "GraphicsPipelineState")
      DOVETAIL_CHECK(readGraphicsState(reader, state));
  }
  return dump().readState(state);
}

std::vector<std::string> PipeFile::ignored() const {
  std::vector<std::string> ignored;
  if (!m_ignoredLayout.empty())
    ignored.push_back(m_ignoredLayout);
  for (const Section &section : m_sections) {
    std::vector<std::string> names;
    for (const auto &[path, value] : section.values)
      if (!value.isTaken)
        names.push_back(path);
    const bool isOwn = section.source || stageOfInfo(section.name) || section.name == "ResourceMapping" ||
                       section.name == "VertexInputState" || section.name == "GraphicsPipelineState" ||
                       section.name == "ComputePipelineState" || section.name == DumpSection;
    if (section.name == "Version" || section.name == "CompileLog")
      continue;
    if (!isOwn)
      ignored.push_back("[" + section.name + "]");
    else if (!names.empty())
      ignored.push_back(fmt::format("[{}] {}", section.name, fmt::join(names, " ")));
  }
  return ignored;
}

} // namespace dovetail
