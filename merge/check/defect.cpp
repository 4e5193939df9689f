// SPDX-License-Identifier: MIT
#include "merge/check/defect.h"
#include "merge/check/defects.h"
#include <fmt/args.h>
#include <fmt/format.h>

namespace dovetail {

namespace {

enum class PlaceStyle : uint8_t { Nowhere, Program, Named, Instruction, Part, NamedPart };

constexpr PlaceStyle Styles[] = {
#define DEFECT(kind, place, text) PlaceStyle::place,
#include "merge/check/defects.def"
#undef DEFECT
};

std::string toText(const DefectPlace &place, PlaceStyle style) {
  const std::string_view program = place.program ? toString(*place.program) : "";
  switch (style) {
  case PlaceStyle::Nowhere:
    return "";
  case PlaceStyle::Program:
    return fmt::format("{}: ", program);
  case PlaceStyle::Named:
    return fmt::format("{} ", program);
  case PlaceStyle::Instruction:
    return fmt::format("{} 0x{:x} ({}): ", program, place.offset.value_or(0), place.part);
  case PlaceStyle::Part:
    return fmt::format("{}: ", place.part);
  case PlaceStyle::NamedPart:
    return fmt::format("{} ", place.part);
  }
  return "";
}

std::string toText(const isa::RegisterRange &range) {
  switch (range.file) {
  case isa::RegisterFile::Sgpr:
    return fmt::format("s{}", range.first);
  case isa::RegisterFile::Vgpr:
    return fmt::format("v{}", range.first);
  case isa::RegisterFile::Vcc:
    return range.first ? "vcc_hi" : "vcc_lo";
  case isa::RegisterFile::M0:
    return "m0";
  case isa::RegisterFile::Scc:
    return "scc";
  default:
    return "a special register";
  }
}

using Arguments = fmt::dynamic_format_arg_store<fmt::format_context>;

struct AddArgument {
  void operator()(uint64_t number) const { arguments.push_back(number); }
  void operator()(int64_t number) const { arguments.push_back(number); }
  void operator()(const std::string &text) const { arguments.push_back(text); }
  void operator()(Register reg) const { arguments.push_back(toString(reg)); }
  void operator()(const ValueName &value) const { arguments.push_back(toString(value)); }
  void operator()(const isa::RegisterRange &range) const { arguments.push_back(toText(range)); }

  Arguments &arguments;
};

} // namespace

std::string toString(const Defect &defect) {
  Arguments arguments;
  for (const DefectArgument &argument : defect.arguments)
    std::visit(AddArgument{arguments}, argument);
  return toText(defect.place, Styles[size_t(defect.kind)]) + fmt::vformat(check::textOf(defect.kind), arguments);
}

} // namespace dovetail
