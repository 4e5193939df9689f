// SPDX-License-Identifier: MIT
#include "tools/common/inputs/json_reader.h"

namespace dovetail {

std::string describe(const Json &value) {
  std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text.size() > 40 ? text.substr(0, 40) + "…" : text;
}

void readValue(const Json &value, uint8_t &target, const std::string &path, Complaint &complaint) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT8_MAX)
    return complaint.add(path, "expected a number from 0 to 255, found " + describe(value));
  target = value.get<uint8_t>();
}

void readValue(const Json &value, uint32_t &target, const std::string &path, Complaint &complaint) {
  if (!value.is_number_unsigned() || value.get<uint64_t>() > UINT32_MAX)
    return complaint.add(path, "expected an unsigned 32-bit number, found " + describe(value));
  target = value.get<uint32_t>();
}

void readValue(const Json &value, int32_t &target, const std::string &path, Complaint &complaint) {
  if (!value.is_number_integer() || value.get<int64_t>() < INT32_MIN || value.get<int64_t>() > INT32_MAX)
    return complaint.add(path, "expected a signed 32-bit number, found " + describe(value));
  target = value.get<int32_t>();
}

void readValue(const Json &value, bool &target, const std::string &path, Complaint &complaint) {
  if (!value.is_boolean())
    return complaint.add(path, "expected true or false, found " + describe(value));
  target = value.get<bool>();
}

void readValue(const Json &value, float &target, const std::string &path, Complaint &complaint) {
  if (!value.is_number())
    return complaint.add(path, "expected a number, found " + describe(value));
  target = value.get<float>();
}

void readValue(const Json &value, std::string &target, const std::string &path, Complaint &complaint) {
  if (!value.is_string())
    return complaint.add(path, "expected a string, found " + describe(value));
  target = value.get<std::string>();
}

Result<Json> parseJson(std::string_view text, const std::string &name) {
  try {
    return Json::parse(text);
  } catch (const nlohmann::json::exception &exception) {
    return makeError(ErrorCode::InvalidInput, "{}: not JSON: {}", name, exception.what());
  }
}

} // namespace dovetail
