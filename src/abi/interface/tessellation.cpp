// SPDX-License-Identifier: MIT
#include "src/abi/interface/tessellation.h"
#include "src/base/enumerators.h"

namespace dovetail {

// The last primitive has a row.
static_assert(outerFactorCount(TessPrimitive(enumeratorCount<TessPrimitive>() - 1)) == 2);
static_assert(innerFactorCount(TessPrimitive(enumeratorCount<TessPrimitive>() - 1)) == 0);

namespace {

template <typename Mode> Mode choose(Mode evaluation, Mode control, Mode fallback) {
  if (evaluation != Mode::Undeclared)
    return evaluation;
  return control != Mode::Undeclared ? control : fallback;
}

} // namespace

TessellationInterface combineTessellation(const TessellationInterface &control,
                                          const TessellationInterface &evaluation) {
  TessellationInterface both = control;
  both.primitive = choose(evaluation.primitive, control.primitive, TessPrimitive::Undeclared);
  both.spacing = choose(evaluation.spacing, control.spacing, TessSpacing::Equal);
  both.vertexOrder = choose(evaluation.vertexOrder, control.vertexOrder, TessVertexOrder::CounterClockwise);
  both.pointMode = evaluation.pointMode || control.pointMode;
  both.readsFactors = evaluation.readsFactors;
  return both;
}

} // namespace dovetail
