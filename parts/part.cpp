// SPDX-License-Identifier: MIT
#include "parts/part.h"

namespace dovetail {

namespace {

struct KindName {
  std::string_view words;
  std::string_view symbol;
};

// In the order of PartKind.
constexpr KindName KindNames[] = {
    {"vertex prolog", "vertex_prolog"},
    {"vertex main", "vertex_main"},
    {"tessellation control main", "tess_control_main"},
    {"tessellation control epilog", "tess_control_epilog"},
    {"tessellation evaluation main", "tess_eval_main"},
    {"geometry prolog", "geometry_prolog"},
    {"geometry main", "geometry_main"},
    {"geometry copy shader", "geometry_copy"},
    {"fragment prolog", "fragment_prolog"},
    {"fragment main", "fragment_main"},
    {"fragment epilog", "fragment_epilog"},
    {"compute main", "compute_main"},
    {"glue", "glue"},
    {"monolithic", "monolithic"},
    {"null fragment shader", "null_fragment"},
    {"compute prolog", "compute_prolog"},
};
static_assert(std::size(KindNames) == PartKindCount);

} // namespace

std::string_view toString(PartKind kind) {
  return KindNames[size_t(kind)].words;
}

std::string_view toSymbol(PartKind kind) {
  return KindNames[size_t(kind)].symbol;
}

} // namespace dovetail
