// SPDX-License-Identifier: MIT
//
// Collects defects where they are found. The compiler checks for each caller that the kind's text takes the arguments.
#pragma once

#include "merge/check/defect.h"
#include <concepts>
#include <fmt/format.h>
#include <string_view>
#include <type_traits>

namespace dovetail::check {

using enum DefectKind;

// The kind's text, with places for the arguments.
constexpr std::string_view textOf(DefectKind kind) {
  constexpr std::string_view Texts[] = {
#define DEFECT(kind, place, text) text,
#include "merge/check/defects.def"
#undef DEFECT
  };
  return Texts[size_t(kind)];
}

class Defects {
public:
  template <DefectKind Kind, typename... Args> void add(DefectPlace place, const Args &...args) {
    [[maybe_unused]] constexpr fmt::format_string<AsPrinted<Args>...> check(textOf(Kind));
    static_assert(takes(textOf(Kind), sizeof...(Args)), "the kind's text has other places");
    m_defects.push_back({Kind, std::move(place), {asArgument(args)...}});
  }
  std::vector<Defect> take() { return std::move(m_defects); }

private:
  template <typename T> using AsPrinted = std::conditional_t<std::integral<T>, uint64_t, std::string>;

  static constexpr bool takes(std::string_view text, size_t arguments) {
    size_t places = 0;
    for (char c : text)
      places += c == '{';
    return places == arguments;
  }

  template <std::signed_integral T> static DefectArgument asArgument(T number) { return int64_t(number); }
  template <std::unsigned_integral T> static DefectArgument asArgument(T number) { return uint64_t(number); }
  static DefectArgument asArgument(std::string_view text) { return std::string(text); }
  template <typename T>
  requires(!std::integral<T> && !std::convertible_to<T, std::string_view>) static DefectArgument
      asArgument(const T &registerOrValue) {
    return registerOrValue;
  }

  std::vector<Defect> m_defects;
};

} // namespace dovetail::check
