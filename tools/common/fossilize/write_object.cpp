// SPDX-License-Identifier: MIT
#include "tools/common/fossilize/write_object.h"
#include "src/base/hash.h"
#include "tools/common/fossilize/file/encodings.h"
#include "tools/common/fossilize/object_fields.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace dovetail::fossilize {

namespace {

using OrderedJson = nlohmann::ordered_json;

template <typename T> OrderedJson toJson(const T &value);

class FieldsToJson {
public:
  explicit FieldsToJson(OrderedJson &object) : m_object(object) {}

  void operator()(std::string_view, const bool &) {} // decides how the object is written; is no member itself
  void operator()(std::string_view name, const Data &data) {
    m_object["dataSize"] = data.size();
    m_object[std::string(name)] = encodeBase64(data);
  }
  template <typename T, uint32_t Type> void operator()(std::string_view, const Next<T, Type> &next) {
    if (!next)
      return;
    OrderedJson structure = {{"sType", Type}};
    structure.update(toJson(*next));
    m_object["pNext"].push_back(std::move(structure));
  }
  template <typename T> void operator()(std::string_view name, const std::optional<T> &value) {
    if (value)
      m_object[std::string(name)] = toJson(*value);
  }
  template <typename T> void operator()(std::string_view name, const ListOrNull<T> &list) {
    if (!list.empty())
      m_object[std::string(name)] = toJson<std::vector<T>>(list);
  }
  template <typename T> void operator()(std::string_view name, const T &value) {
    m_object[std::string(name)] = toJson(value);
  }

private:
  OrderedJson &m_object;
};

template <typename T> OrderedJson toJson(const T &value) {
  if constexpr (HasFields<T>) {
    OrderedJson object = OrderedJson::object();
    forEachField(value, FieldsToJson(object));
    return object;
  } else if constexpr (IsVector<T>) {
    OrderedJson list = OrderedJson::array();
    for (const auto &element : value)
      list.push_back(toJson(element));
    return list;
  } else if constexpr (std::is_same_v<T, ObjectHash>) {
    return value.toHex();
  } else if constexpr (std::is_same_v<T, float>) {
    constexpr float Largest = std::numeric_limits<float>::max();
    return std::isnan(value) ? 0 : std::clamp(value, -Largest, Largest);
  } else if constexpr (std::is_enum_v<T>) {
    return uint32_t(value);
  } else {
    return value;
  }
}

// The JSON name of the list that holds an entry's one object.
constexpr const char *listName(const Sampler &) {
  return "samplers";
}
constexpr const char *listName(const DescriptorSetLayout &) {
  return "setLayouts";
}
constexpr const char *listName(const PipelineLayout &) {
  return "pipelineLayouts";
}
constexpr const char *listName(const ShaderModule &) {
  return "shaderModules";
}
constexpr const char *listName(const RenderPass &pass) {
  return pass.isVersion2 ? "renderPasses2" : "renderPasses";
}
constexpr const char *listName(const GraphicsPipeline &) {
  return "graphicsPipelines";
}
constexpr const char *listName(const ComputePipeline &) {
  return "computePipelines";
}

ObjectHash hashOf(std::string_view list, std::span<const std::byte> bytes) {
  const uint64_t hash = Hasher().add(list).addBytes(bytes).finish().low;
  return {hash ? hash : 1};
}

std::vector<uint8_t> printPayload(const char *list, ObjectHash hash, OrderedJson object) {
  const OrderedJson root = {{"version", NewestVersion}, {list, {{hash.toHex(), std::move(object)}}}};
  const std::string text = root.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  return {text.begin(), text.end()};
}

} // namespace

template <typename Object> WrittenObject writeObject(const Object &object) {
  OrderedJson json = toJson(object);
  const char *list = listName(object);
  const std::string text = json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
  const ObjectHash hash = hashOf(list, std::as_bytes(std::span(text)));
  return {hash, printPayload(list, hash, std::move(json))};
}

template <> WrittenObject writeObject(const ShaderModule &module) {
  const std::vector<uint8_t> code = encodeVarint(module.words);
  const char *list = listName(module);
  const ObjectHash hash = hashOf(list, std::as_bytes(std::span(module.words)));
  const OrderedJson json = {{"varintOffset", 0},
                            {"varintSize", code.size()},
                            {"codeSize", module.words.size() * sizeof(uint32_t)},
                            {"flags", module.flags}};
  WrittenObject written = {hash, printPayload(list, hash, json)};
  written.payload.push_back(0);
  written.payload.insert(written.payload.end(), code.begin(), code.end());
  return written;
}

template WrittenObject writeObject(const Sampler &);
template WrittenObject writeObject(const DescriptorSetLayout &);
template WrittenObject writeObject(const PipelineLayout &);
template WrittenObject writeObject(const RenderPass &);
template WrittenObject writeObject(const GraphicsPipeline &);
template WrittenObject writeObject(const ComputePipeline &);

} // namespace dovetail::fossilize
