// SPDX-License-Identifier: MIT
#include "parts/kinds/part_description.h"
#include "parts/kinds/compute_prolog.h"
#include "parts/kinds/fragment_epilog.h"
#include "parts/kinds/fragment_prolog.h"
#include "parts/kinds/geometry_prolog.h"
#include "parts/kinds/key_bytes.h"
#include "parts/kinds/tess_control_epilog.h"
#include "parts/kinds/vertex_prolog.h"

namespace dovetail {

namespace {

template <typename Key> std::string describeKey(const Part &part) {
  const std::optional<Key> key = decodeKey<Key>(part.keyFields);
  return key ? key->describe() : std::string();
}

} // namespace

std::string partDescription(const Part &part) {
  if (!part.description.empty())
    return part.description;
  switch (part.key.kind) {
  case PartKind::VertexProlog:
    return describeKey<VertexPrologKey>(part);
  case PartKind::FragmentProlog:
    return describeKey<FragmentPrologKey>(part);
  case PartKind::FragmentEpilog:
    return describeKey<FragmentEpilogKey>(part);
  case PartKind::TessControlEpilog:
    return describeKey<TessControlEpilogKey>(part);
  case PartKind::GeometryProlog:
    return describeKey<GeometryPrologKey>(part);
  case PartKind::ComputeProlog:
    return describeKey<ComputePrologKey>(part);
  default:
    return {};
  }
}

} // namespace dovetail
