// SPDX-License-Identifier: MIT
#include "tests/spirv/listing.h"
#include "tools/common/inputs/glsl.h"
#include <doctest/doctest.h>
#include <spirv-tools/libspirv.hpp>

namespace dovetail::test {

std::vector<uint32_t> fragmentWords(const std::string &text) {
  const std::string version = text.starts_with("#version") ? "" : "#version 450\n";
  auto modules = translateGlsl({{lgc::ShaderStage::Fragment, "test", version + text}});
  if (!modules)
    FAIL(modules.error().text);
  return modules->front();
}

std::string validListing(const std::vector<uint32_t> &words, bool hasNames) {
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  std::string message, listing;
  tools.SetMessageConsumer(
      [&](spv_message_level_t, const char *, const spv_position_t &, const char *what) { message += what; });
  CHECK_MESSAGE(tools.Validate(words), message);
  const uint32_t names = hasNames ? SPV_BINARY_TO_TEXT_OPTION_FRIENDLY_NAMES : 0;
  CHECK(tools.Disassemble(words, &listing, SPV_BINARY_TO_TEXT_OPTION_NO_HEADER | names));
  return listing;
}

size_t countOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

} // namespace dovetail::test
