// SPDX-License-Identifier: MIT
//
// Pairs the fields of the library's states with the members of C's: "colorTwoSide" with "color_two_side". The two lists
// of fields (src/state/pipeline_state.h, dovetail_state.h) are matched by name when this is compiled; a name that only
// one of them has does not compile.
#pragma once

#include "src/state/pipeline_state.h"
#include "variants/c_api/include/dovetail_state.h"
#include <algorithm>
#include <tuple>

namespace dovetail::c_api {

// Whether "colorTwoSide" is written "color_two_side" in C.
constexpr bool isSameName(std::string_view ours, std::string_view theirs) {
  size_t at = 0;
  for (const char c : ours) {
    const bool isUpper = c >= 'A' && c <= 'Z';
    if (isUpper && (at == theirs.size() || theirs[at++] != '_'))
      return false;
    if (at == theirs.size() || theirs[at++] != (isUpper ? char(c - 'A' + 'a') : c))
      return false;
  }
  return at == theirs.size();
}

// The number of our field with this name in C.
template <typename Ours> consteval size_t indexOfField(std::string_view theirs) {
  constexpr auto Names = fieldNamesOf(static_cast<const Ours *>(nullptr));
  return std::ranges::find_if(Names, [&](std::string_view ours) { return isSameName(ours, theirs); }) - Names.begin();
}

constexpr size_t roundUp(size_t bytes, size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

// The names of a field.
struct NamePair {
  std::string_view ours, theirs;
};

// visitPairs(ours, theirs, visit) calls visit(names, field, member) for each pair.
#define DOVETAIL_VISIT_PAIR(member)                                                                                    \
  {                                                                                                                    \
    constexpr size_t Index = indexOfField<std::remove_const_t<Ours>>(#member);                                         \
    constexpr auto Names = fieldNamesOf(static_cast<const Ours *>(nullptr));                                           \
    visit(NamePair{Names[Index], #member}, std::get<Index>(tieFields(ours)), theirs.member);                           \
  }
#define DOVETAIL_COUNT_PAIR(member) +1
// `otherBytes`: of members of C's struct that are not in its list of fields, without a reserved word that fills it up.
// `otherFields`: how many of our fields are no numbers.
#define DOVETAIL_PAIRS(Struct, CStruct, CFields, otherBytes, otherFields)                                              \
  static_assert(sizeof(CStruct) == roundUp(4 * (CFields(DOVETAIL_COUNT_PAIR)) + (otherBytes), alignof(CStruct)),       \
                "C's list of fields has them all");                                                                    \
  static_assert(fieldNamesOf(static_cast<const Struct *>(nullptr)).size() ==                                           \
                    (CFields(DOVETAIL_COUNT_PAIR)) + (otherFields),                                                    \
                "C has each of our fields");                                                                           \
  template <typename Ours, typename Theirs, typename Visit>                                                            \
  requires std::same_as<std::remove_const_t<Ours>, Struct>                                                             \
  void visitPairs(Ours &ours, Theirs &theirs, Visit &&visit) {                                                         \
    CFields(DOVETAIL_VISIT_PAIR)                                                                                       \
  }

DOVETAIL_PAIRS(VertexBinding, dovetail_vertex_binding, DOVETAIL_VERTEX_BINDING_FIELDS, 0, 0)
DOVETAIL_PAIRS(VertexAttribute, dovetail_vertex_attribute, DOVETAIL_VERTEX_ATTRIBUTE_FIELDS, 0, 0)
DOVETAIL_PAIRS(ColorTarget, dovetail_color_target, DOVETAIL_COLOR_TARGET_FIELDS, 0, 0)
// Beside numbers, C has its size, two arrays with a pointer and a count each, the targets and the user;
// we have two lists and the targets.
DOVETAIL_PAIRS(PipelineState, dovetail_pipeline_state, DOVETAIL_PIPELINE_STATE_FIELDS,
               6 * sizeof(void *) + MaxColorTargets * sizeof(dovetail_color_target), 3)

#undef DOVETAIL_PAIRS
#undef DOVETAIL_COUNT_PAIR
#undef DOVETAIL_VISIT_PAIR

} // namespace dovetail::c_api
