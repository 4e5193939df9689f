// SPDX-License-Identifier: MIT
//
// A key of each kind with something in every list, and a way to change one scalar of it after the other.
#pragma once

#include "gfx9-merged/glue.h"
#include "parts/compile/key_bytes.h"
#include "parts/kinds/geometry_copy.h"
#include "parts/kinds/monolithic.h"
#include "parts/kinds/null_fragment.h"
#include <tuple>

namespace dovetail::samples {

inline MainPartKey mainPartKey() {
  MainPartKey key;
  key.gpuName = "gfx900";
  key.words = {1, 2};
  key.specConstants = {{1, 2}};
  key.resourceForms = {{1, 2}};
  key.knowledge.constantInputs = {{1, 2, 3}};
  key.knowledge.inlinableUniforms.emplace_back();
  return key;
}

inline VertexPrologKey vertexPrologKey() {
  return {"gfx900", 8, {{3, 1, FetchIndex::Instance, 0, {{BufferDataFormat::Format32_32}}, {}}}};
}

inline TessControlEpilogKey tessControlEpilogKey() {
  TessControlEpilogKey key;
  key.gpuName = "gfx900";
  key.inputs = {{{ValueKind::GlobalTable}, {RegisterBank::Sgpr, 0}}};
  return key;
}

inline FragmentPrologKey fragmentPrologKey() {
  FragmentPrologKey key;
  key.gpuName = "gfx900";
  key.colors = {{1, 0xf}};
  return key;
}

inline FragmentEpilogKey fragmentEpilogKey() {
  FragmentEpilogKey key;
  key.gpuName = "gfx900";
  key.inputs = {{{ValueKind::Color}, {RegisterBank::Vgpr, 0}}};
  key.colors = {{2, ExportFormat::Fp16Abgr}};
  return key;
}

inline GeometryPrologKey geometryPrologKey() {
  return {"gfx900", 8};
}

inline ComputePrologKey computePrologKey() {
  return {"gfx900", 8, 16, true};
}

inline GeometryCopyKey geometryCopyKey() {
  GeometryCopyKey key;
  key.gpuName = "gfx900";
  key.outputs = {{1, 2, 3}};
  key.preRaster.xfb.outputs = {{1, 2, 3, 0, 4}};
  key.preRaster.parameters = {{1, 2}};
  return key;
}

inline NullFragmentKey nullFragmentKey() {
  return {"gfx900"};
}

inline GlueKey glueKey() {
  GlueKey key;
  key.gpuName = "gfx900";
  key.entry.inputs = key.wanted = key.kept = {{{ValueKind::MergedWaveInfo}, {RegisterBank::Sgpr, 3}}};
  return key;
}

inline MonolithicKey monolithicKey() {
  MonolithicKey key = {mainPartKey(), {1, 2}, {}};
  key.around.of<VertexPrologKey>() = vertexPrologKey();
  key.around.of<GeometryPrologKey>() = geometryPrologKey();
  key.around.of<TessControlEpilogKey>() = tessControlEpilogKey();
  key.around.of<FragmentPrologKey>() = fragmentPrologKey();
  key.around.of<FragmentEpilogKey>() = fragmentEpilogKey();
  key.around.of<ComputePrologKey>() = computePrologKey();
  return key;
}

inline MonolithicMergedKey monolithicMergedKey() {
  return {HardwareStage::Gs, monolithicKey(), monolithicKey()};
}

inline auto allKeys() {
  return std::tuple(mainPartKey(), vertexPrologKey(), tessControlEpilogKey(), fragmentPrologKey(), fragmentEpilogKey(),
                    geometryPrologKey(), computePrologKey(), geometryCopyKey(), nullFragmentKey(), glueKey(),
                    monolithicKey(), monolithicMergedKey());
}

// Changes the scalar or string with this number. The numbers count through the value and all that it contains; the
// length of a list, and the presence of an optional, have numbers of their own. Reduces `number` by the count of all
// numbers in the value.
template <typename T> void changeScalar(T &value, int &number) {
  if constexpr (std::is_same_v<T, bool>) {
    if (number-- == 0)
      value = !value;
  } else if constexpr (ScalarField<T>) {
    if (number-- == 0)
      value = T(uint64_t(value) ^ 1);
  } else if constexpr (std::is_same_v<T, std::string>) {
    if (number-- == 0)
      value += "x";
  } else if constexpr (IsListField<T> || IsArrayField<T>) {
    for (auto &element : value)
      changeScalar(element, number);
    if constexpr (IsListField<T>)
      if (number-- == 0)
        value.emplace_back();
  } else if constexpr (IsOptionalField<T>) {
    if (value)
      changeScalar(*value, number);
    if (number-- == 0)
      value.reset();
  } else {
    forEachField(value, [&](std::string_view, auto &field) { changeScalar(field, number); });
  }
}

template <typename T> int scalarCount(T value) {
  constexpr int nobody = 1 << 20;
  int number = nobody;
  changeScalar(value, number);
  return nobody - number;
}

} // namespace dovetail::samples
