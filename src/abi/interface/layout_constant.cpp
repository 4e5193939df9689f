// SPDX-License-Identifier: MIT
//
// The width of the offset field in the header is from the "Vega" ISA manual, SMEM.
#include "src/abi/interface/layout_constant.h"
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace dovetail {

namespace {

constexpr std::string_view Prefix = "dovetail.layout.";
constexpr std::array<std::string_view, ResourceKindCount> Kinds = {
    "image",          "sampler",           "texel_buffer",    "buffer",
    "fmask",          "compact_buffer",    "inline_uniforms", "root_buffer",
    "dynamic_offset", "immutable_sampler", "image_plane1",    "image_plane2"};
constexpr std::array<std::string_view, LayoutQuantityCount> Quantities = {"offset",         "stride", "set_pointer",
                                                                          "push_constants", "size",   "content"};

// Removes the text before the next dot and returns it.
std::string_view takeWord(std::string_view &text) {
  const size_t end = std::min(text.find('.'), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

template <typename Enum, size_t Count>
bool readName(std::string_view word, const std::array<std::string_view, Count> &names, Enum &value) {
  for (size_t i = 0; i < Count; ++i)
    if (names[i] == word) {
      value = Enum(i);
      return true;
    }
  return false;
}

bool readNumber(std::string_view word, uint32_t &number) {
  const auto result = std::from_chars(word.data(), word.data() + word.size(), number);
  return result.ec == std::errc() && result.ptr == word.data() + word.size();
}

} // namespace

std::string_view toString(ResourceKind kind) {
  return Kinds[size_t(kind)];
}

std::string symbolOf(const LayoutConstant &constant) {
  return fmt::format("{}{}.{}.{}.{}.{}.{}", Prefix, Quantities[size_t(constant.quantity)],
                     Kinds[size_t(constant.resource)], constant.set, constant.binding, constant.element,
                     constant.addend);
}

std::optional<LayoutConstant> layoutConstantOf(std::string_view symbol) {
  if (!symbol.starts_with(Prefix))
    return std::nullopt;
  symbol.remove_prefix(Prefix.size());
  LayoutConstant constant;
  const bool isRead = readName(takeWord(symbol), Quantities, constant.quantity) &&
                      readName(takeWord(symbol), Kinds, constant.resource) &&
                      readNumber(takeWord(symbol), constant.set) && readNumber(takeWord(symbol), constant.binding) &&
                      readNumber(takeWord(symbol), constant.element) && readNumber(takeWord(symbol), constant.addend);
  if (!isRead || !symbol.empty())
    return std::nullopt;
  return constant;
}

} // namespace dovetail
