// SPDX-License-Identifier: MIT
#include "parts/check_part.h"
#include "src/abi/interface/link_constant.h"
#include "src/abi/target_info.h"
#include "src/lgc/state/compile_options.h"
#include <algorithm>
#include <bit>

namespace dovetail {

namespace {

// The most that the code of a part can have on gfx8 and gfx9.
constexpr size_t MaxCodeBytes = size_t(64) << 20;
constexpr uint32_t MaxConstantsAlignment = 4096;
constexpr unsigned MaxSgprs = NumberedSgprs + 6, MaxVgprs = 256;       // with VCC and the SGPRs next to it
constexpr uint32_t MaxScratchBytes = 1 << 20, MaxLdsBytes = 64 * 1024; // per lane; per group
constexpr unsigned MaxUserSgprs = 32, MaxUserData = 0xffff;
// Limits of a ShaderInterface. The registers are those in which LLVM passes arguments (AMDGPUCallingConv.td), because
// prologs and epilogs are compiled as functions of them.
constexpr unsigned ArgumentSgprs = 44, ArgumentVgprs = 136;
constexpr unsigned MaxColors = 8, Sources = 2, MaxLocations = 32, MaxParameters = 32, MaxPositionExports = 4;
constexpr unsigned MaxGlColors = 2, MaxPatchVertices = 32, MaxGeometryVertices = 1024, MaxInvocations = 127;
constexpr unsigned SlotCount = SlotComponents().size(), ComponentCount = 4, MaxWorkgroupSize = 1024;
constexpr unsigned MaxConservativeDepth = 3;

bool isGood(const Relocation &relocation, size_t codeBytes) {
  return relocation.offset % 4 == 0 && relocation.offset <= codeBytes &&
         codeBytes - relocation.offset >= rowOf(relocation.kind).size &&
         (relocation.target != RelocationTarget::Link ||
          (relocation.addend >= 0 && relocation.addend < int64_t(LinkConstantCount)));
}

bool isGood(const LayoutRelocation &relocation, size_t codeBytes) {
  return relocation.offset % 4 == 0 && relocation.offset <= codeBytes && codeBytes - relocation.offset >= 4;
}

bool isGood(const Binding &binding) {
  const ValueName &value = binding.value;
  const bool isSgpr = isUserData(value.kind) || isSystemSgpr(value.kind);
  const bool isColor = value.kind == ValueKind::Color || value.kind == ValueKind::ColorSource1;
  return binding.reg.bank == (isSgpr ? RegisterBank::Sgpr : RegisterBank::Vgpr) &&
         binding.reg.index < (isSgpr ? NumberedSgprs : MaxVgprs) &&
         value.component < (value.kind == ValueKind::Attribute ? 8 : ComponentCount) &&
         (!isColor || value.index < MaxColors);
}

// Whether the bindings name each register once, in ascending order.
bool areGood(const std::vector<Binding> &bindings) {
  const auto isBehind = [](const Binding &a, const Binding &b) { return a.reg >= b.reg; };
  return std::ranges::all_of(bindings, [](const Binding &binding) { return isGood(binding); }) &&
         std::ranges::adjacent_find(bindings, isBehind) == bindings.end();
}

bool isGood(const Contract &contract) {
  return areGood(contract.inputs) && areGood(contract.outputs) && contract.preservedSgprs <= MaxSgprs &&
         contract.preservedVgprs <= MaxVgprs && !(contract.endsProgram && !contract.outputs.empty());
}

bool isGood(const Usage &usage) {
  constexpr uint32_t psInputs = (1u << PsInputCount) - 1;
  return usage.sgprs <= MaxSgprs && usage.numberedSgprs <= NumberedSgprs &&
         usage.specialSgprs <= MaxSgprs - NumberedSgprs && usage.vgprs <= MaxVgprs &&
         usage.scratchBytes <= MaxScratchBytes && usage.ldsBytes <= MaxLdsBytes && usage.waveSize == 64 &&
         (usage.psInputEna & ~psInputs) == 0 && (usage.psInputAddr & ~psInputs) == 0;
}

bool isGood(const EntryInterface &entry) {
  return areGood(entry.inputs) && entry.userSgprCount <= MaxUserSgprs;
}

bool isGood(const GeometryInterface &geometry) {
  return geometry.maxVertices <= MaxGeometryVertices && geometry.invocations <= MaxInvocations &&
         geometry.streamMask < 1u << MaxVertexStreams && geometry.outputs.size() <= SlotCount * ComponentCount &&
         std::ranges::all_of(geometry.outputs, [](const GeometryOutputDword &dword) {
           return dword.slot < VertexSlotCount && dword.component < ComponentCount && dword.stream < MaxVertexStreams;
         });
}

bool isGood(const XfbInterface &xfb) {
  return std::ranges::all_of(xfb.bufferStream, [](uint8_t stream) { return stream < MaxVertexStreams; }) &&
         xfb.outputs.size() <= SlotCount * ComponentCount &&
         std::ranges::all_of(xfb.outputs, [](const XfbOutput &output) {
           return output.slot < VertexSlotCount && output.component < ComponentCount && output.buffer < MaxXfbBuffers &&
                  output.stream < MaxVertexStreams && output.offset % 4 == 0;
         });
}

bool isGood(const VertexInput &input) {
  return input.elementBits == 16 || input.elementBits == 32 || input.elementBits == 64;
}

bool areArguments(const std::vector<Binding> &bindings) {
  return areGood(bindings) && std::ranges::all_of(bindings, [](const Binding &binding) {
           return binding.reg.index < (binding.reg.bank == RegisterBank::Sgpr ? ArgumentSgprs : ArgumentVgprs);
         });
}

bool isGood(const ShaderInterface &shader) {
  constexpr unsigned maxComponents = 1u << ComponentCount;
  const auto isWithin = [](unsigned most) { return [most](unsigned number) { return number < most; }; };
  return areArguments(shader.inputs) && areArguments(shader.outputs) && shader.userSgprCount <= MaxUserSgprs &&
         shader.pushConstantEnd <= MaxUserData && shader.spilledPushConstants <= MaxUserData &&
         shader.vertex.inputs.size() <= MaxLocations &&
         std::ranges::all_of(shader.vertex.inputs, [](const VertexInput &input) { return isGood(input); }) &&
         std::ranges::all_of(shader.inputComponents, isWithin(maxComponents)) &&
         std::ranges::all_of(shader.patchInputComponents, isWithin(maxComponents)) &&
         std::ranges::all_of(shader.fragment.narrowComponents, isWithin(maxComponents)) &&
         std::ranges::all_of(shader.fragment.inputs, [](const FragmentInput &input) { return input.halves < 4; }) &&
         std::ranges::all_of(
             shader.constantOutputs,
             [](const ConstantDword &dword) { return dword.slot < SlotCount && dword.component < ComponentCount; }) &&
         shader.tessellation.outputVertices <= MaxPatchVertices && shader.tessellation.ldsPatchStride <= MaxLdsBytes &&
         isGood(shader.geometry) && isGood(shader.preRaster.xfb) &&
         shader.preRaster.parameters.size() <= MaxParameters &&
         std::ranges::all_of(shader.preRaster.parameters,
                             [](const ParameterExport &parameter) { return parameter.parameter < MaxParameters; }) &&
         shader.preRaster.positionExports <= MaxPositionExports && shader.fragment.inputs.size() <= MaxParameters &&
         shader.fragment.colorInputs.size() <= MaxGlColors &&
         std::ranges::all_of(shader.fragment.colorInputs,
                             [](const ColorInput &color) {
                               return color.index < MaxGlColors && color.componentMask < maxComponents &&
                                      color.location < MaxLocations &&
                                      (color.backLocation < MaxLocations ||
                                       color.backLocation == lgc::ColorInputLocations::None);
                             }) &&
         shader.fragment.colors.size() <= MaxColors * Sources &&
         std::ranges::all_of(shader.fragment.colors,
                             [](const ColorOutput &color) {
                               return color.location < MaxColors && color.index < Sources &&
                                      color.componentMask < maxComponents;
                             }) &&
         shader.fragment.conservativeDepth <= MaxConservativeDepth &&
         std::ranges::all_of(shader.compute.workgroupSize, isWithin(MaxWorkgroupSize + 1));
}

// Whether the part has everything that its kind needs, and nothing that only other kinds have.
bool isComplete(const Part &part) {
  using enum HardwareStage;
  const PartKind kind = part.key.kind;
  const bool isMonolithic = kind == PartKind::Monolithic;
  const unsigned stage = part.interface ? bitOf(part.interface->hardwareStage) : 0;
  if (part.interface ? (stage & interfaceStagesOf(kind)) == 0 : interfaceStagesOf(kind) != 0)
    return false;
  if (part.interface && !isMonolithic &&
      (part.interface->source == VertexSource::TessEval) != (kind == PartKind::TessEvalMain))
    return false;
  const bool hasExports =
      kind == PartKind::FragmentEpilog || kind == PartKind::NullFragment || (isMonolithic && stage == bitOf(Ps));
  if (part.fragmentExports.has_value() != hasExports)
    return false;
  if (!part.firstInterface)
    return !part.entry || kind == PartKind::Glue;
  return isMonolithic && part.entry && (stage == bitOf(Hs) || stage == bitOf(Gs)) &&
         part.firstInterface->hardwareStage == (stage == bitOf(Hs) ? Ls : Es);
}

} // namespace

bool isGoodInterface(const ShaderInterface &interface) {
  return isGood(interface);
}

const char *defectOf(const Part &part) {
  if (part.code.size() % 4 != 0 || part.code.size() > MaxCodeBytes)
    return "the code is no whole number of dwords, or too long";
  if (!std::has_single_bit(part.constantsAlignment) || part.constantsAlignment > MaxConstantsAlignment ||
      part.constants.size() > MaxCodeBytes)
    return "the constants have no alignment, or are too long";
  if (!std::ranges::all_of(part.relocations,
                           [&](const Relocation &relocation) { return isGood(relocation, part.code.size()); }))
    return "a relocation lies outside of the code, or names a link constant that does not exist";
  if (!std::ranges::all_of(part.layoutRelocations,
                           [&](const LayoutRelocation &relocation) { return isGood(relocation, part.code.size()); }))
    return "what the layout says lies outside of the code";
  if (!isGood(part.contract))
    return "its contract names a register or a value that there is not";
  if (!isGood(part.usage))
    return "it uses more than there is";
  if (!isComplete(part))
    return "it has not what its kind needs, or what it does not have";
  if ((part.interface && !isGood(*part.interface)) || (part.firstInterface && !isGood(*part.firstInterface)) ||
      (part.entry && !isGood(*part.entry)))
    return "its interface has something that there is not";
  return nullptr;
}

} // namespace dovetail
