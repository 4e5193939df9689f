// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/read_object.h"
#include "tools/common/fossilize/file/database_format.h"
#include "tools/common/fossilize/file/encodings.h"
#include "tools/common/fossilize/object_fields.h"
#include "tools/common/fossilize/structure_names.h"
#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

namespace dovetail::fossilize {

namespace {

using Json = nlohmann::json;

// Large enough: only SPIR-V in base64 makes an object's JSON large.
constexpr size_t MaxJsonBytes = size_t(32) << 20;
constexpr unsigned MaxJsonDepth = 64;

// The first error, and the names of ignored members.
struct Findings {
  std::string complaint;
  Ignored &ignored;

  void complain(const std::string &path, std::string_view text) {
    if (complaint.empty())
      complaint = fmt::format("{}: {}", path.empty() ? "/" : path, text);
  }
};

template <typename T> void fromJson(const Json &json, T &value, const std::string &path, Findings &findings);

class FieldsFromJson {
public:
  FieldsFromJson(const Json &object, const std::string &path, Findings &findings)
      : m_object(object), m_path(path), m_findings(findings) {
    if (auto next = object.find("pNext"); next != object.end() && next->is_array())
      m_next = &*next;
  }

  void operator()(std::string_view, bool &) {}
  void operator()(std::string_view name, Data &data) {
    std::string text;
    (*this)(name, text);
    (*this)("dataSize", m_dataSize);
    Result<std::vector<uint8_t>> bytes = decodeBase64(text);
    if (!bytes)
      return m_findings.complain(m_path + "/" + std::string(name), bytes.error().text);
    if (bytes->size() != m_dataSize)
      return m_findings.complain(m_path + "/dataSize", "is not the number of bytes");
    data.assign(bytes->begin(), bytes->end());
  }
  template <typename T, uint32_t Type> void operator()(std::string_view, Next<T, Type> &next) {
    m_knownTypes.push_back(Type);
    for (size_t index = 0; m_next && index < m_next->size(); ++index)
      if (typeOf((*m_next)[index]) == Type) {
        next.emplace();
        fromJson(withoutType((*m_next)[index]), *next, fmt::format("{}/pNext/{}", m_path, index), m_findings);
      }
  }
  template <typename T> void operator()(std::string_view name, std::optional<T> &value) {
    const Json *found = find(name);
    if (found && !found->is_null())
      fromJson(*found, value.emplace(), m_path + "/" + std::string(name), m_findings);
  }
  template <typename T> void operator()(std::string_view name, ListOrNull<T> &list) {
    (*this)(name, static_cast<std::vector<T> &>(list));
  }
  template <typename T> void operator()(std::string_view name, T &value) {
    if (const Json *found = find(name))
      fromJson(*found, value, m_path + "/" + std::string(name), m_findings);
  }

  // To be called after the last field.
  void nameIgnored() {
    for (const auto &[name, value] : m_object.items())
      if (name != "pNext" && std::ranges::find(m_known, name) == m_known.end())
        m_findings.ignored.insert(m_path.empty() ? name : m_path.substr(1) + "/" + name);
    for (size_t index = 0; m_next && index < m_next->size(); ++index)
      if (const uint32_t type = typeOf((*m_next)[index]); std::ranges::find(m_knownTypes, type) == m_knownTypes.end())
        m_findings.ignored.insert(structureName(type));
  }

private:
  const Json *find(std::string_view name) {
    m_known.emplace_back(name);
    auto found = m_object.find(m_known.back());
    return found == m_object.end() ? nullptr : &*found;
  }

  static uint32_t typeOf(const Json &structure) {
    if (!structure.is_object())
      return 0;
    auto type = structure.find("sType");
    return type != structure.end() && type->is_number_unsigned() ? type->get<uint32_t>() : 0;
  }
  static Json withoutType(Json structure) {
    structure.erase("sType");
    return structure;
  }

  const Json &m_object;
  const std::string &m_path;
  Findings &m_findings;
  const Json *m_next = nullptr;
  std::vector<std::string> m_known;
  std::vector<uint32_t> m_knownTypes;
  uint64_t m_dataSize = 0;
};

template <typename T> void fromJson(const Json &json, T &value, const std::string &path, Findings &findings) {
  auto complain = [&](std::string_view what) { findings.complain(path, fmt::format("expected {}", what)); };
  if constexpr (HasFields<T>) {
    if (!json.is_object())
      return complain("an object");
    FieldsFromJson fields(json, path, findings);
    forEachField(value, fields);
    fields.nameIgnored();
  } else if constexpr (IsVector<T>) {
    if (!json.is_array())
      return complain("a list");
    value.clear();
    for (size_t index = 0; index < json.size(); ++index)
      fromJson(json[index], value.emplace_back(), fmt::format("{}/{}", path, index), findings);
  } else if constexpr (std::is_same_v<T, ObjectHash>) {
    if (!json.is_string())
      return complain("a hash");
    const std::string &digits = json.get_ref<const std::string &>();
    if (digits.empty() || digits.size() > HashDigits ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      return complain("up to 16 hexadecimal digits");
    value = {std::strtoull(digits.c_str(), nullptr, 16)};
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (!json.is_string())
      return complain("a text");
    value = json.get<std::string>();
  } else if constexpr (std::is_same_v<T, float>) {
    if (!json.is_number())
      return complain("a number");
    value = json.get<float>();
  } else if constexpr (std::is_enum_v<T>) {
    // The range of Vulkan's enumerations.
    if (!json.is_number_unsigned() || json.get<uint64_t>() > uint64_t(std::numeric_limits<int32_t>::max()))
      return complain("the number of an enumerator");
    value = T(json.get<uint32_t>());
  } else if constexpr (std::is_signed_v<T>) {
    if (!json.is_number_integer() || json.get<int64_t>() < std::numeric_limits<T>::min() ||
        json.get<int64_t>() > std::numeric_limits<T>::max())
      return complain("an integer of 32 bits");
    value = json.get<T>();
  } else {
    if (!json.is_number_unsigned() || json.get<uint64_t>() > std::numeric_limits<T>::max())
      return complain("a number that is not negative");
    value = json.get<T>();
  }
}

bool isTooDeep(std::string_view text) {
  unsigned depth = 0;
  bool isInString = false;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"')
      isInString = !isInString;
    else if (isInString && c == '\\')
      ++at;
    else if (!isInString && (c == '[' || c == '{') && ++depth > MaxJsonDepth)
      return true;
    else if (!isInString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

// The content of an entry: the object, and the name of its list.
struct Parsed {
  std::string list;
  Json object;
  std::span<const uint8_t> code; // behind the JSON
};

std::vector<std::string_view> listsOf(Kind kind) {
  switch (kind) {
  case Kind::Sampler:
    return {"samplers"};
  case Kind::DescriptorSetLayout:
    return {"setLayouts"};
  case Kind::PipelineLayout:
    return {"pipelineLayouts"};
  case Kind::ShaderModule:
    return {"shaderModules"};
  case Kind::RenderPass:
    return {"renderPasses", "renderPasses2"};
  case Kind::GraphicsPipeline:
    return {"graphicsPipelines"};
  case Kind::ComputePipeline:
    return {"computePipelines"};
  default:
    return {};
  }
}

// Without a result, `complaint` gets the reason.
std::optional<Parsed> parsePayload(std::span<const uint8_t> payload, Kind kind, ObjectHash hash,
                                   std::string &complaint) {
  const size_t jsonBytes = size_t(std::ranges::find(payload, 0) - payload.begin());
  const std::string_view text(reinterpret_cast<const char *>(payload.data()), jsonBytes);
  complaint = "its JSON is larger than 32 MiB or nested too deeply";
  if (jsonBytes > MaxJsonBytes || isTooDeep(text))
    return std::nullopt;
  const Json root = Json::parse(text, nullptr, false);
  complaint = "is not JSON";
  if (!root.is_object())
    return std::nullopt;
  auto version = root.find("version");
  complaint = fmt::format("/version: expected {} to {}", OldestVersion, NewestVersion);
  if (version == root.end() || !version->is_number_unsigned() || version->get<uint64_t>() < OldestVersion ||
      version->get<uint64_t>() > NewestVersion)
    return std::nullopt;
  complaint = "its JSON has no such object";
  for (std::string_view list : listsOf(kind)) {
    auto objects = root.find(std::string(list));
    if (objects == root.end() || !objects->is_object())
      continue;
    for (const auto &[name, object] : objects->items())
      if (std::strtoull(name.c_str(), nullptr, 16) == hash.value && object.is_object()) {
        Parsed parsed = {std::string(list), object, {}};
        if (jsonBytes < payload.size())
          parsed.code = payload.subspan(jsonBytes + 1);
        return parsed;
      }
  }
  return std::nullopt;
}

template <typename Object> void fillIn(const Parsed &parsed, Object &object, Findings &findings) {
  fromJson(parsed.object, object, "", findings);
  if constexpr (std::is_same_v<Object, RenderPass>)
    object.isVersion2 = parsed.list == "renderPasses2";
}

template <> void fillIn(const Parsed &parsed, ShaderModule &module, Findings &findings) {
  const Json &json = parsed.object;
  auto number = [&](const char *name) -> uint64_t {
    auto found = json.find(name);
    if (found != json.end() && found->is_number_unsigned())
      return found->get<uint64_t>();
    findings.complain(std::string("/") + name, "expected a number");
    return 0;
  };
  const uint64_t codeSize = number("codeSize");
  module.flags = json.contains("flags") ? uint32_t(number("flags")) : 0;
  if (codeSize % sizeof(uint32_t))
    return findings.complain("/codeSize", "SPIR-V has 4 bytes for each word");
  if (json.contains("varintOffset")) {
    const uint64_t offset = number("varintOffset"), size = number("varintSize");
    if (offset > parsed.code.size() || size > parsed.code.size() - offset)
      return findings.complain("/varintSize", "more bytes than the entry has");
    std::optional<std::vector<uint32_t>> words = decodeVarint(parsed.code.subspan(offset, size), codeSize / 4);
    if (!words)
      return findings.complain("/varintSize", "these bytes are not so many words");
    module.words = std::move(*words);
    return;
  }
  auto code = json.find("code");
  if (code == json.end() || !code->is_string())
    return findings.complain("/code", "expected a text");
  Result<std::vector<uint8_t>> bytes = decodeBase64(code->get_ref<const std::string &>());
  if (!bytes || bytes->size() != codeSize)
    return findings.complain("/code", "these are not so many bytes in base64");
  module.words.resize(codeSize / 4);
  std::memcpy(module.words.data(), bytes->data(), codeSize);
}

template <typename T> void takeIfUnset(std::optional<T> &own, std::optional<T> &&library) {
  if (!own)
    own = std::move(library);
}

// Gives the pipeline the library's pieces (VkGraphicsPipelineLibraryFlagsEXT).
void takePieces(GraphicsPipeline &pipeline, GraphicsPipeline library) {
  if (!pipeline.layout)
    pipeline.layout = library.layout;
  if (!pipeline.renderPass && library.renderPass) {
    pipeline.renderPass = library.renderPass;
    pipeline.subpass = library.subpass;
  }
  takeIfUnset(pipeline.tessellationState, std::move(library.tessellationState));
  takeIfUnset(pipeline.multisampleState, std::move(library.multisampleState));
  takeIfUnset(pipeline.vertexInputState, std::move(library.vertexInputState));
  takeIfUnset(pipeline.rasterizationState, std::move(library.rasterizationState));
  takeIfUnset(pipeline.inputAssemblyState, std::move(library.inputAssemblyState));
  takeIfUnset(pipeline.colorBlendState, std::move(library.colorBlendState));
  takeIfUnset(pipeline.viewportState, std::move(library.viewportState));
  takeIfUnset(pipeline.depthStencilState, std::move(library.depthStencilState));
  // Formats come from the piece that writes colours; in the other pieces they are undefined.
  const bool writesColors = library.libraryPieces && library.libraryPieces->flags &
                                                         VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;
  if (library.rendering && (!pipeline.rendering || writesColors))
    pipeline.rendering = library.rendering;
  if (library.attachmentLocations && (!pipeline.attachmentLocations || writesColors))
    pipeline.attachmentLocations = library.attachmentLocations;
  if (library.stages) {
    if (!pipeline.stages)
      pipeline.stages.emplace();
    std::ranges::move(*library.stages, std::back_inserter(*pipeline.stages));
  }
  if (library.dynamicState) {
    if (!pipeline.dynamicState)
      pipeline.dynamicState.emplace();
    std::ranges::copy(library.dynamicState->dynamicState, std::back_inserter(pipeline.dynamicState->dynamicState));
  }
}

// A pipeline has at most four pieces, and a library may itself be linked of libraries.
constexpr unsigned MaxLinkDepth = 4, MaxLibraries = 16;

Result<GraphicsPipeline> readLinked(const Database &database, ObjectHash hash, Ignored &ignored, unsigned depth) {
  GraphicsPipeline pipeline = DOVETAIL_TRY(readObject<GraphicsPipeline>(database, hash, ignored));
  if (!pipeline.libraries)
    return pipeline;
  const std::vector<ObjectHash> libraries = pipeline.libraries->libraries;
  if (depth == MaxLinkDepth || libraries.size() > MaxLibraries)
    return makeError(ErrorCode::InvalidInput, "{}: graphics pipeline {}: more libraries than a pipeline has pieces",
                     database.path(), hash.toHex());
  for (ObjectHash library : libraries)
    takePieces(pipeline, DOVETAIL_TRY(readLinked(database, library, ignored, depth + 1)));
  pipeline.libraries.reset();
  return pipeline;
}

} // namespace

template <typename Object> Result<Object> readObject(const Database &database, ObjectHash hash, Ignored &ignored) {
  const Kind kind = kindOf(static_cast<const Object *>(nullptr));
  const Entry *entry = database.find(kind, hash);
  if (!entry)
    return makeError(ErrorCode::InvalidInput, "{}: there is no {} {}", database.path(), toString(kind), hash.toHex());
  const std::vector<uint8_t> payload = DOVETAIL_TRY(database.read(*entry));
  Object object;
  Findings findings = {{}, ignored};
  if (std::optional<Parsed> parsed = parsePayload(payload, kind, hash, findings.complaint)) {
    findings.complaint.clear();
    fillIn(*parsed, object, findings);
  }
  if (!findings.complaint.empty())
    return makeError(ErrorCode::InvalidInput, "{}: offset {}: {} {}: {}", database.path(),
                     entry->offset - EntryHeaderBytes, toString(kind), hash.toHex(), findings.complaint);
  return object;
}

template Result<Sampler> readObject(const Database &, ObjectHash, Ignored &);
template Result<DescriptorSetLayout> readObject(const Database &, ObjectHash, Ignored &);
template Result<PipelineLayout> readObject(const Database &, ObjectHash, Ignored &);
template Result<ShaderModule> readObject(const Database &, ObjectHash, Ignored &);
template Result<RenderPass> readObject(const Database &, ObjectHash, Ignored &);
template Result<GraphicsPipeline> readObject(const Database &, ObjectHash, Ignored &);
template Result<ComputePipeline> readObject(const Database &, ObjectHash, Ignored &);

Result<GraphicsPipeline> readLinkedPipeline(const Database &database, ObjectHash hash, Ignored &ignored) {
  return readLinked(database, hash, ignored, 0);
}

bool isLibrary(const GraphicsPipeline &pipeline) {
  return pipeline.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR ||
         (pipeline.flags2 && pipeline.flags2->flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR);
}

} // namespace dovetail::fossilize
