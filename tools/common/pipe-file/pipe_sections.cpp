// SPDX-License-Identifier: MIT
#include "tools/common/pipe-file/pipe_sections.h"
#include <algorithm>
#include <charconv>
#include <set>

namespace dovetail::pipe_file {

namespace {

using lgc::ShaderStage;

struct StageNames {
  std::string_view brief, whole;
  ShaderStage stage;
};
constexpr StageNames Stages[] = {
    {"Vs", "VertexShader", ShaderStage::Vertex},      {"Tcs", "TessControlShader", ShaderStage::TessControl},
    {"Tes", "TessEvalShader", ShaderStage::TessEval}, {"Gs", "GeometryShader", ShaderStage::Geometry},
    {"Fs", "FragmentShader", ShaderStage::Fragment},  {"Cs", "ComputeShader", ShaderStage::Compute},
};

struct FormName {
  std::string_view ending;
  SourceForm form;
};
constexpr FormName Forms[] = {
    {"Glsl", SourceForm::Glsl},
    {"Spirv", SourceForm::SpirvAssembly},
    {"GlslFile", SourceForm::GlslFile},
    {"SpvFile", SourceForm::SpirvFile},
    {"SpvasmFile", SourceForm::SpirvAssemblyFile},
};

std::optional<SourceKind> sourceOf(std::string_view name) {
  for (const StageNames &stage : Stages)
    for (std::string_view prefix : {stage.whole, stage.brief})
      if (name.starts_with(prefix))
        for (const FormName &form : Forms)
          if (name.substr(prefix.size()) == form.ending)
            return SourceKind{stage.stage, form.form};
  return std::nullopt;
}

// Sections of other stages hold shaders, too, although nobody compiles them here.
bool isOtherSource(std::string_view name) {
  for (std::string_view ending : {"Glsl", "Spirv", "Hlsl"})
    if (name.ends_with(ending))
      return true;
  return false;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view Blank = " \t\r";
  const size_t begin = text.find_first_not_of(Blank);
  return begin == std::string_view::npos ? std::string_view()
                                         : text.substr(begin, text.find_last_not_of(Blank) + 1 - begin);
}

// "VsGlsl" of "[VsGlsl]"; nothing for other lines.
std::optional<std::string_view> sectionName(std::string_view line) {
  if (!line.starts_with('['))
    return std::nullopt;
  const size_t end = line.find(']');
  if (end == std::string_view::npos || !trimmed(line.substr(end + 1)).empty())
    return std::nullopt;
  const std::string_view name = line.substr(1, end - 1);
  const bool isWord = !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  });
  return isWord ? std::optional(name) : std::nullopt;
}

std::string withoutBlanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

std::optional<uint64_t> parseNumber(std::string_view text) {
  const bool isHex = text.starts_with("0x") || text.starts_with("0X");
  const bool isNegative = text.starts_with("-");
  text.remove_prefix(isHex ? 2 : isNegative ? 1 : 0);
  uint64_t number = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, isHex ? 16 : 10);
  if (failure != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return isNegative ? 0 - number : number;
}

} // namespace

std::optional<ShaderStage> stageOfInfo(std::string_view name) {
  for (const StageNames &stage : Stages)
    for (std::string_view prefix : {stage.whole, stage.brief})
      if (name.starts_with(prefix) && name.substr(prefix.size()) == "Info")
        return stage.stage;
  return std::nullopt;
}

Result<std::vector<Section>> parseSections(const std::string &name, std::string_view text) {
  std::vector<Section> sections;
  size_t number = 0;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    const bool isInSource = !sections.empty() && (sections.back().source || isOtherSource(sections.back().name));
    if (std::optional<std::string_view> title = sectionName(line)) {
      Section &section = sections.emplace_back();
      section.name = *title;
      section.line = number;
      section.source = sourceOf(*title);
      continue;
    }
    // Sections for files have "fileName = x.vert" instead of text.
    const bool isText = isInSource && (!sections.back().source || sections.back().source->form == SourceForm::Glsl ||
                                       sections.back().source->form == SourceForm::SpirvAssembly);
    if (isText) {
      sections.back().text += std::string(line) + "\n";
      continue;
    }
    const std::string_view statement = trimmed(line.substr(0, line.find(';')));
    // Text in front of the first section counts as a comment.
    if (statement.empty() || statement.starts_with("//") || sections.empty() || sections.back().name == "CompileLog")
      continue;
    const size_t equals = statement.find('=');
    if (equals == std::string_view::npos)
      return makeError(ErrorCode::InvalidInput, "{}:{}: expected a section or \"name = value\"", name, number);
    sections.back().values[withoutBlanks(statement.substr(0, equals))] = {
        std::string(trimmed(statement.substr(equals + 1))), number};
  }
  return sections;
}

Value *SectionReader::find(const std::string &path) {
  auto found = m_section.values.find(path);
  if (found == m_section.values.end())
    return nullptr;
  found->second.isTaken = true;
  return &found->second;
}

std::optional<uint64_t> SectionReader::number(const std::string &path) {
  const Value *value = find(path);
  if (!value)
    return std::nullopt;
  std::optional<uint64_t> number = parseNumber(value->text);
  if (!number && !m_error)
    m_error = wrong(path, fmt::format("expected a number, found \"{}\"", value->text)).value();
  return number;
}

std::optional<bool> SectionReader::boolean(const std::string &path) {
  auto found = m_section.values.find(path);
  if (found != m_section.values.end() && (found->second.text == "true" || found->second.text == "false")) {
    found->second.isTaken = true;
    return found->second.text == "true";
  }
  const std::optional<uint64_t> value = number(path);
  return value ? std::optional(*value != 0) : std::nullopt;
}

std::optional<std::string> SectionReader::text(const std::string &path) {
  const Value *value = find(path);
  return value ? std::optional(value->text) : std::nullopt;
}

std::vector<uint32_t> SectionReader::indices(const std::string &path) const {
  std::set<uint32_t> indices;
  const std::string prefix = path + "[";
  for (auto at = m_section.values.lower_bound(prefix); at != m_section.values.end() && at->first.starts_with(prefix);
       ++at) {
    uint32_t index = 0;
    const char *begin = at->first.data() + prefix.size(), *end = at->first.data() + at->first.size();
    if (auto [stop, failure] = std::from_chars(begin, end, index);
        failure == std::errc() && stop != end && *stop == ']')
      indices.insert(index);
  }
  return {indices.begin(), indices.end()};
}

tl::unexpected<Error> SectionReader::wrong(const std::string &path, std::string_view what, ErrorCode code) const {
  size_t line = 0;
  for (auto at = m_section.values.lower_bound(path); at != m_section.values.end() && at->first.starts_with(path); ++at)
    line = line ? std::min(line, at->second.line) : at->second.line;
  return makeError(code, "{}:{}: {}: {}", m_file, line ? line : m_section.line, path, what);
}

Result<void> SectionReader::finish() const {
  if (m_error)
    return tl::unexpected(*m_error);
  return {};
}

} // namespace dovetail::pipe_file
