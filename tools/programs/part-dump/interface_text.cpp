// SPDX-License-Identifier: MIT
//
// Describes a shader's interface (src/abi/interface/shader_interface.h) in words. Leaves out default values and fields
// that do not apply.
#include "tools/programs/part-dump/part_text.h"
#include "tools/programs/part-dump/terminal.h"
#include <fmt/format.h>

namespace dovetail::part_dump {

namespace {

constexpr const char *PrimitiveNames[] = {"undeclared", "triangles", "quads", "isolines"};
constexpr const char *SpacingNames[] = {"undeclared", "equal", "fractional odd", "fractional even"};
constexpr const char *OrderNames[] = {"undeclared", "counterclockwise", "clockwise"};
constexpr const char *InputNames[] = {"points", "lines", "lines with adjacency", "triangles",
                                      "triangles with adjacency"};
constexpr const char *OutputNames[] = {"points", "line strip", "triangle strip"};
constexpr const char *ConservativeDepthNames[] = {"any", "less or equal", "greater or equal", "unchanged"};

const char *nameOf(NumericClass numericClass) {
  switch (numericClass) {
  case NumericClass::Float:
    return "float";
  case NumericClass::Sint:
    return "sint";
  case NumericClass::Uint:
    return "uint";
  }
  return "?";
}

std::string components(unsigned mask) {
  std::string text;
  for (unsigned component = 0; component < 8; ++component)
    if (mask >> component & 1)
      text += component < 4 ? std::string(1, "xyzw"[component]) : fmt::format("[{}]", component);
  return text;
}

std::string slotName(unsigned slot, bool perPatch) {
  if (perPatch)
    return slot == TessLevelOuterSlot   ? "outer factors"
           : slot == TessLevelInnerSlot ? "inner factors"
                                        : fmt::format("location {}", slot - PatchGenericSlot);
  if (slot == PositionSlot)
    return "position";
  if (slot < MiscellaneousSlot)
    return fmt::format("location {}", slot - GenericSlot);
  if (slot == MiscellaneousSlot)
    return "point size and numbers";
  if (slot < CullDistanceSlot)
    return fmt::format("clip distances {}", slot - ClipDistanceSlot);
  return fmt::format("cull distances {}", slot - CullDistanceSlot);
}

std::string parameterName(unsigned location) {
  switch (location) {
  case PrimitiveIdParameter:
    return "primitive id";
  case LayerParameter:
    return "layer";
  case ViewportIndexParameter:
    return "viewport index";
  case ClipDistanceParameter0:
  case ClipDistanceParameter1:
    return fmt::format("clip distances {}", location - ClipDistanceParameter0);
  case CullDistanceParameter0:
  case CullDistanceParameter1:
    return fmt::format("cull distances {}", location - CullDistanceParameter0);
  case PointCoordParameter:
    return "point coordinate";
  default:
    return fmt::format("location {}", location);
  }
}

// Joins items with commas, and collects Facts.
class Words {
public:
  void add(std::string name, std::string text) {
    if (!text.empty())
      facts.push_back({std::move(name), std::move(text)});
  }
  // Every element of a list in words.
  template <typename List, typename InWords> void addList(std::string name, const List &list, const InWords &inWords) {
    std::string text;
    for (const auto &item : list)
      text += (text.empty() ? "" : ", ") + inWords(item);
    add(std::move(name), text);
  }
  void addSlots(std::string name, SlotMask mask, bool perPatch) {
    std::string text;
    for (unsigned slot = 0; slot < 64; ++slot)
      if (mask >> slot & 1)
        text += (text.empty() ? "" : ", ") + slotName(slot, perPatch);
    add(std::move(name), text);
  }
  void addComponents(std::string name, const SlotComponents &slots, bool perPatch) {
    std::string text;
    for (unsigned slot = 0; slot < slots.size(); ++slot)
      if (slots[slot] != 0)
        text += fmt::format("{}{}.{}", text.empty() ? "" : ", ", slotName(slot, perPatch), components(slots[slot]));
    add(std::move(name), text);
  }

  std::vector<Fact> facts;
};

void addTessellation(Words &words, const TessellationInterface &tessellation) {
  if (tessellation == TessellationInterface())
    return;
  std::string text =
      fmt::format("{}, spacing {}, order {}", PrimitiveNames[unsigned(tessellation.primitive)],
                  SpacingNames[unsigned(tessellation.spacing)], OrderNames[unsigned(tessellation.vertexOrder)]);
  if (tessellation.pointMode)
    text += ", points";
  words.add("tessellation", text);
  if (tessellation.outputVertices > 0)
    words.add("patch", fmt::format("{}, {} of LDS, factors in {}", count(tessellation.outputVertices, "control point"),
                                   count(tessellation.ldsPatchStride, "byte"),
                                   tessellation.factorsInRegisters ? "registers" : "LDS"));
  if (tessellation.readsFactors)
    words.add("reads", "the tessellation factors");
}

void addGeometry(Words &words, const GeometryInterface &geometry) {
  if (geometry.maxVertices == 0)
    return;
  words.add("geometry", fmt::format("{} to {}, at most {} vertices, {}", InputNames[unsigned(geometry.input)],
                                    OutputNames[unsigned(geometry.output)], geometry.maxVertices,
                                    count(geometry.invocations, "invocation")));
  words.addList("emits", geometry.outputs, [](const GeometryOutputDword &output) {
    return fmt::format("{}.{} (stream {})", slotName(output.slot, false), components(1u << output.component),
                       output.stream);
  });
}

void addFragment(Words &words, const ShaderInterface &interface) {
  words.addList("interpolates", interface.fragment.inputs, [](const FragmentInput &input) {
    return parameterName(input.location) + (input.flat ? " flat" : "") + (input.ofVertices ? " of vertices" : "") +
           (input.pointCoord ? " point coordinate" : "") + (input.halves ? " halves" : "");
  });
  words.addComponents("16-bit components read", interface.fragment.narrowComponents, false);
  words.addList("GL colors", interface.fragment.colorInputs, [](const ColorInput &color) {
    return fmt::format("color {}.{} from location {}, at the back {}", color.index, components(color.componentMask),
                       color.location, color.backLocation);
  });
  words.addList("writes", interface.fragment.colors, [](const ColorOutput &color) {
    return fmt::format("color {}{}.{} {}", color.location, color.index == 1 ? " second source" : "",
                       components(color.componentMask), nameOf(color.numericClass));
  });
}

} // namespace

std::vector<Fact> interfaceFacts(const ShaderInterface &interface) {
  Words words;
  words.add("runs as", fmt::format("{}{}", toString(interface.hardwareStage),
                                   interface.source == VertexSource::TessEval ? ", tessellation evaluation" : ""));
  words.add("user SGPRs", std::to_string(interface.userSgprCount));
  if (interface.pushConstantEnd == AllPushConstants)
    words.add("push constants", "at dynamic places");
  else if (interface.pushConstantEnd > 0)
    words.add("push constants", count(interface.pushConstantEnd, "dword"));
  if (interface.spilledPushConstants != NoPushConstant)
    words.add("in memory from", fmt::format("dword {}", interface.spilledPushConstants));
  words.addList("tables found in memory", interface.spilledSets,
                [](uint8_t set) { return fmt::format("set {}", set); });

  words.addList("attributes", interface.vertex.inputs, [](const VertexInput &input) {
    return fmt::format("{}.{} {}{}", input.location, components(input.dwordMask), nameOf(input.numericClass),
                       input.elementBits);
  });
  words.addSlots("reads", interface.inputSlots, false);
  words.addSlots("reads per patch", interface.patchInputSlots, true);
  words.addComponents("components read", interface.inputComponents, false);
  words.addComponents("components read per patch", interface.patchInputComponents, true);
  words.addSlots("writes", interface.outputSlots, false);
  words.addSlots("writes per patch", interface.patchOutputSlots, true);
  words.addList("always the same", interface.constantOutputs, [](const ConstantDword &constant) {
    return fmt::format("{}.{} = {:#x}", slotName(constant.slot, false), components(1u << constant.component),
                       constant.value);
  });
  addTessellation(words, interface.tessellation);
  addGeometry(words, interface.geometry);
  words.addList("captures", interface.preRaster.xfb.outputs, [](const XfbOutput &output) {
    return fmt::format("{}.{} to buffer {} +{}", slotName(output.slot, false), components(1u << output.component),
                       output.buffer, output.offset);
  });
  words.addList("parameters", interface.preRaster.parameters, [](const ParameterExport &parameter) {
    return fmt::format("{} at param{}", parameterName(parameter.location), parameter.parameter);
  });
  if (interface.preRaster.positionExports > 0)
    words.add("positions", count(interface.preRaster.positionExports, "export"));
  if (interface.preRaster.clipDistanceMask != 0)
    words.add("clip distances", fmt::format("{:#04x}", interface.preRaster.clipDistanceMask));
  if (interface.preRaster.cullDistanceMask != 0)
    words.add("cull distances", fmt::format("{:#04x}", interface.preRaster.cullDistanceMask));
  addFragment(words, interface);
  if (interface.fragment.conservativeDepth != 0 &&
      interface.fragment.conservativeDepth < std::size(ConservativeDepthNames))
    words.add("depth", ConservativeDepthNames[interface.fragment.conservativeDepth]);
  if (interface.hardwareStage == HardwareStage::Cs)
    words.add("workgroup", fmt::format("{} x {} x {}", interface.compute.workgroupSize[0],
                                       interface.compute.workgroupSize[1], interface.compute.workgroupSize[2]));

  std::string flags;
  auto flag = [&](bool isSet, const char *text) {
    if (isSet)
      flags += (flags.empty() ? "" : ", ") + std::string(text);
  };
  flag(interface.preRaster.writesPointSize, "writes the point size");
  flag(interface.preRaster.writesLayer, "writes the layer");
  flag(interface.preRaster.writesViewportIndex, "writes the viewport index");
  flag(interface.vertex.usesInstanceId, "reads the instance id");
  flag(interface.preRaster.usesPrimitiveId || interface.geometry.usesPrimitiveId, "reads the primitive id");
  flag(interface.geometry.usesInvocationId, "reads the invocation id");
  flag(interface.fragment.writesDepth, "writes depth");
  flag(interface.fragment.writesStencil, "writes stencil");
  flag(interface.fragment.writesSampleMask, "writes the sample mask");
  flag(interface.fragment.usesDiscard, "discards");
  flag(interface.fragment.earlyFragmentTests, "early tests");
  flag(interface.writesMemory, "writes memory");
  flag(interface.fragment.runsAtSampleRate, "runs for each sample");
  flag(interface.fragment.interlock == FragmentInterlock::Pixel, "interlocked by pixel");
  flag(interface.fragment.interlock == FragmentInterlock::Sample, "interlocked by sample");
  flag(interface.fragment.pixelCenterInteger, "pixel centers at integers");
  flag(interface.fragment.placesInputs, "places its inputs itself");
  words.add("also", flags);
  return words.facts;
}

} // namespace dovetail::part_dump
