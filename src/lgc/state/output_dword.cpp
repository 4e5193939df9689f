// SPDX-License-Identifier: MIT
#include "src/lgc/state/output_dword.h"
#include <algorithm>
#include <iterator>

namespace lgc {

namespace {

// The place of a built-in output: `count` consecutive components from slot and component on.
struct BuiltInPlace {
  OutputKind kind;
  BuiltIn builtIn;
  unsigned slot;
  unsigned component;
  unsigned count;
};

constexpr BuiltInPlace BuiltInPlaces[] = {
    {OutputKind::Position, BuiltIn::Position, dovetail::PositionSlot, 0, 4},
    {OutputKind::PointSize, BuiltIn::PointSize, dovetail::MiscellaneousSlot, 0, 1},
    {OutputKind::Layer, BuiltIn::Layer, dovetail::MiscellaneousSlot, 1, 1},
    {OutputKind::ViewportIndex, BuiltIn::ViewportIndex, dovetail::MiscellaneousSlot, 2, 1},
    {OutputKind::PrimitiveId, BuiltIn::PrimitiveId, dovetail::MiscellaneousSlot, 3, 1},
    {OutputKind::ClipDistance, BuiltIn::ClipDistance, dovetail::ClipDistanceSlot, 0, 8},
    {OutputKind::CullDistance, BuiltIn::CullDistance, dovetail::CullDistanceSlot, 0, 8},
};

template <typename Key> std::optional<VertexDword> placeOf(Key BuiltInPlace::*field, Key key, unsigned component) {
  const auto *place = std::ranges::find(BuiltInPlaces, key, field);
  if (place == std::end(BuiltInPlaces) || component >= place->count)
    return std::nullopt;
  unsigned dword = place->component + component;
  return VertexDword{place->slot + dword / 4, dword % 4};
}

} // namespace

std::optional<VertexDword> vertexDwordOf(OutputSlot output, unsigned component) {
  if (output.kind != OutputKind::Generic)
    return placeOf(&BuiltInPlace::kind, output.kind, component);
  if (output.slot >= dovetail::MaxGenericSlots || component >= 4)
    return std::nullopt;
  return VertexDword{dovetail::GenericSlot + output.slot, component};
}

std::optional<VertexDword> vertexDwordOf(BuiltIn builtIn, unsigned component) {
  return placeOf(&BuiltInPlace::builtIn, builtIn, component);
}

std::optional<OutputComponent> outputOf(VertexDword dword) {
  if (dword.component >= 4)
    return std::nullopt;
  if (dword.slot >= dovetail::GenericSlot && dword.slot < dovetail::GenericSlot + dovetail::MaxGenericSlots)
    return OutputComponent{{OutputKind::Generic, dword.slot - dovetail::GenericSlot}, dword.component};
  unsigned number = dword.slot * 4 + dword.component;
  for (const BuiltInPlace &place : BuiltInPlaces) {
    unsigned first = place.slot * 4 + place.component;
    if (number >= first && number < first + place.count)
      return OutputComponent{{place.kind, 0}, number - first};
  }
  return std::nullopt;
}

std::optional<VertexDword> vertexDwordOfParameter(unsigned location, unsigned component) {
  using namespace dovetail;
  constexpr unsigned half = 4; // distances in a parameter
  switch (location) {
  case PrimitiveIdParameter:
    return vertexDwordOf(BuiltIn::PrimitiveId);
  case LayerParameter:
    return vertexDwordOf(BuiltIn::Layer);
  case ViewportIndexParameter:
    return vertexDwordOf(BuiltIn::ViewportIndex);
  case ClipDistanceParameter0:
  case ClipDistanceParameter1:
    return vertexDwordOf(BuiltIn::ClipDistance, (location - ClipDistanceParameter0) * half + component);
  case CullDistanceParameter0:
  case CullDistanceParameter1:
    return vertexDwordOf(BuiltIn::CullDistance, (location - CullDistanceParameter0) * half + component);
  default:
    return vertexDwordOf(OutputSlot{OutputKind::Generic, location}, component);
  }
}

} // namespace lgc
