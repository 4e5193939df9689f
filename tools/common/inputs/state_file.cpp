// SPDX-License-Identifier: MIT
#include "tools/common/inputs/state_file.h"
#include "src/state/state_values.h"
#include "tools/common/command/write_file.h"
#include "tools/common/inputs/json_reader.h"
#include <algorithm>

namespace dovetail {

namespace {

// A mask is a number or a list of bit names.
void readWriteMask(const Json &value, VkColorComponentFlags &mask, const std::string &path, Complaint &complaint) {
  if (!value.is_array()) {
    uint32_t number = 0;
    readValue(value, number, path, complaint);
    mask = number;
    return;
  }
  mask = 0;
  for (size_t index = 0; index < value.size(); ++index) {
    VkColorComponentFlagBits bit = {};
    readValue(value[index], bit, fmt::format("{}/{}", path, index), complaint);
    mask |= bit;
  }
}

// Reads the members of a struct, each by its field's name.
class FieldsReader {
public:
  FieldsReader(const Json &object, const std::string &path, Complaint &complaint)
      : m_members(object, path, complaint), m_complaint(complaint) {}

  template <typename T> ObjectReader &read(T &fields) {
    forEachField(fields, [this](std::string_view name, auto &field) { readField(name, field); });
    return m_members;
  }

private:
  template <typename Field> void readField(std::string_view name, Field &field) {
    m_members.readMember(name, [&](const Json &value, const std::string &path) {
      readFieldValue(name, value, field, path);
      if (const std::optional<std::string> refusal = refuseValue<Field>(name, uint32_t(field)))
        m_complaint.add(path, fmt::format("found {}; it {}", describe(value), *refusal));
    });
  }

  template <typename Field>
  void readFieldValue(std::string_view name, const Json &value, Field &field, const std::string &path) {
    if constexpr (std::is_same_v<Field, VkColorComponentFlags>)
      if (name == "writeMask")
        return readWriteMask(value, field, path, m_complaint);
    readValue(value, field, path, m_complaint);
  }

  template <typename T> void readField(std::string_view name, std::vector<T> &list) {
    const size_t limit = std::is_same_v<T, VertexBinding> ? MaxVertexBindings : MaxVertexAttributes;
    m_members.readArray(
        name, limit, [&] { list.clear(); },
        [&](const Json &value, const std::string &path, size_t) {
          FieldsReader(value, path, m_complaint).read(list.emplace_back()).finish();
        });
  }

  void readField(std::string_view name, decltype(PipelineState::colorTargets) &targets) {
    m_members.readArray(
        name, MaxColorTargets, [&] { targets.fill({}); },
        [&](const Json &value, const std::string &path, size_t index) {
          if (!value.is_null()) // a hole: no target at this location
            FieldsReader(value, path, m_complaint).read(targets[index]).finish();
        });
  }

  ObjectReader m_members;
  Complaint &m_complaint;
};

// Refuses vertex inputs that no pipeline can have, whatever its shaders are.
void checkVertexInput(const PipelineState &state, Complaint &complaint) {
  std::set<uint32_t> bindings, locations;
  for (size_t index = 0; index < state.vertexBindings.size(); ++index)
    if (!bindings.insert(state.vertexBindings[index].binding).second)
      complaint.add(fmt::format("/vertexBindings/{}/binding", index), "this binding is described twice");
  for (size_t index = 0; index < state.vertexAttributes.size(); ++index) {
    const VertexAttribute &attribute = state.vertexAttributes[index];
    if (!locations.insert(attribute.location).second)
      complaint.add(fmt::format("/vertexAttributes/{}/location", index), "this location is described twice");
    if (!bindings.contains(attribute.binding))
      complaint.add(fmt::format("/vertexAttributes/{}/binding", index),
                    fmt::format("there is no vertex binding {}", attribute.binding));
  }
}

size_t countOf(const std::vector<VertexBinding> &bindings) {
  return bindings.size();
}
size_t countOf(const std::vector<VertexAttribute> &attributes) {
  return attributes.size();
}
// Without the empty targets at the end.
size_t countOf(const decltype(PipelineState::colorTargets) &targets) {
  size_t count = MaxColorTargets;
  while (count > 0 && targets[count - 1].format == VK_FORMAT_UNDEFINED)
    --count;
  return count;
}

template <typename T> Json print(const T &value) {
  if constexpr (requires { countOf(value); }) {
    Json list = Json::array();
    for (const auto &element : std::span(value).first(countOf(value)))
      list.push_back(print(element));
    return list;
  } else if constexpr (HasFields<T>) {
    if constexpr (std::is_same_v<T, ColorTarget>)
      if (value.format == VK_FORMAT_UNDEFINED)
        return nullptr; // a hole: no target at this location
    Json object;
    forEachField(value, [&](std::string_view name, const auto &field) { object[std::string(name)] = print(field); });
    return object;
  } else if constexpr (std::is_enum_v<T>) {
    return vulkanName(value);
  } else {
    return value;
  }
}

} // namespace

Result<PipelineState> parseState(std::string_view text, const std::string &name, const PipelineState &base) {
  Json root = DOVETAIL_TRY(parseJson(text, name));
  PipelineState state = base;
  Complaint complaint{name, std::nullopt};
  FieldsReader(root, "", complaint)
      .read(state)
      .readMember("scene", [](const Json &, const std::string &) {}) // scene_json.h reads it
      .finish();
  checkVertexInput(state, complaint);
  if (complaint.error)
    return tl::unexpected(*complaint.error);
  return state;
}

Result<PipelineState> readStateFile(const std::string &path, const PipelineState &base) {
  return parseState(DOVETAIL_TRY(readWholeFile(path)), path, base);
}

std::string printState(const PipelineState &state) {
  return print(state).dump(2) + "\n";
}

} // namespace dovetail
