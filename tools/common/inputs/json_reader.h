// SPDX-License-Identifier: MIT
//
// Reads JSON files object by object. An ObjectReader binds the members of a JSON object to fields by name, remembers
// the names, and keeps the first error. So the description of a struct is a list of its members.
#pragma once

#include "src/base/error.h"
#include "tools/common/inputs/vulkan_names.h"
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

namespace dovetail {

using Json = nlohmann::ordered_json;

// The first error in a file. Everything after it is ignored.
struct Complaint {
  std::string file;
  std::optional<Error> error;

  void add(const std::string &path, const std::string &text) {
    if (!error)
      error = makeError(ErrorCode::InvalidInput, "{}: {}: {}", file, path.empty() ? "/" : path, text).value();
  }
};

// The value as a message shows it.
std::string describe(const Json &value);

// Each sets the target or complains.
void readValue(const Json &value, uint8_t &target, const std::string &path, Complaint &complaint);
void readValue(const Json &value, uint32_t &target, const std::string &path, Complaint &complaint);
void readValue(const Json &value, int32_t &target, const std::string &path, Complaint &complaint);
void readValue(const Json &value, bool &target, const std::string &path, Complaint &complaint);
void readValue(const Json &value, float &target, const std::string &path, Complaint &complaint);
void readValue(const Json &value, std::string &target, const std::string &path, Complaint &complaint);

template <typename Enumeration>
requires std::is_enum_v<Enumeration>
void readValue(const Json &value, Enumeration &target, const std::string &path, Complaint &complaint) {
  if (!value.is_string())
    return complaint.add(path, "expected the name of a Vulkan enumerator, found " + describe(value));
  std::optional<Enumeration> parsed = parseVulkanName<Enumeration>(value.get_ref<const std::string &>());
  if (!parsed)
    return complaint.add(path, "unknown name " + describe(value));
  target = *parsed;
}

class ObjectReader {
public:
  ObjectReader(const Json &object, std::string path, Complaint &complaint)
      : m_object(object), m_path(std::move(path)), m_complaint(complaint) {
    if (!object.is_object())
      complaint.add(m_path, "expected an object, found " + describe(object));
  }

  template <typename Field> ObjectReader &read(std::string_view name, Field &field) {
    if (const Json *value = find(name))
      readValue(*value, field, fmt::format("{}/{}", m_path, name), m_complaint);
    return *this;
  }

  // Does as read(), but the member must be there.
  template <typename Field> ObjectReader &require(std::string_view name, Field &field) {
    if (requireMember(name))
      read(name, field);
    return *this;
  }

  // Calls `take(value, path)` if the member is there.
  template <typename Take> ObjectReader &readMember(std::string_view name, Take take) {
    if (const Json *value = find(name))
      take(*value, fmt::format("{}/{}", m_path, name));
    return *this;
  }

  // Calls `element(value, path, index)` for each element of an array of at most `limit` elements; `begin()` before the
  // first.
  template <typename Begin, typename Element>
  ObjectReader &readArray(std::string_view name, size_t limit, Begin begin, Element element) {
    const Json *array = find(name);
    if (!array)
      return *this;
    std::string path = fmt::format("{}/{}", m_path, name);
    if (!array->is_array()) {
      m_complaint.add(path, "expected an array, found " + describe(*array));
    } else if (array->size() > limit) {
      m_complaint.add(path, fmt::format("has {} elements, at most {} are possible", array->size(), limit));
    } else {
      begin();
      for (size_t index = 0; index < array->size(); ++index)
        element((*array)[index], fmt::format("{}/{}", path, index), index);
    }
    return *this;
  }

  // Calls `element(value, path)` for each element of an array that must be there.
  template <typename Element> ObjectReader &requireArray(std::string_view name, Element element) {
    if (requireMember(name))
      readArray(
          name, SIZE_MAX, [] {}, [&](const Json &value, const std::string &path, size_t) { element(value, path); });
    return *this;
  }

  // To be called after the last read(): members without a field are errors.
  void finish() {
    if (!m_object.is_object())
      return;
    for (const auto &[name, value] : m_object.items())
      if (!m_known.contains(name))
        m_complaint.add(fmt::format("{}/{}", m_path, name), "unknown key");
  }

private:
  bool requireMember(std::string_view name) {
    if (find(name))
      return true;
    m_complaint.add(fmt::format("{}/{}", m_path, name), "missing");
    return false;
  }

  const Json *find(std::string_view name) {
    m_known.emplace(name);
    if (!m_object.is_object())
      return nullptr;
    auto found = m_object.find(name);
    return found == m_object.end() ? nullptr : &*found;
  }

  const Json &m_object;
  std::string m_path;
  Complaint &m_complaint;
  std::set<std::string, std::less<>> m_known;
};

// The file's text as JSON. Errors: InvalidInput, naming the file.
Result<Json> parseJson(std::string_view text, const std::string &name);

} // namespace dovetail
