// SPDX-License-Identifier: MIT
//
// The fragment epilog takes the colours, depth, stencil and sample mask that a fragment main part computed. It converts
// them to the form that the hardware's colour and depth blocks want, and exports them. Every fragment shader has an
// epilog, because the last export also ends the pixel.
//
// The key consists of exports, not of API formats. For each export, it has the hardware format, its components and
// their registers. Many formats, blend states and write masks lead to the same exports and so share one epilog.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/base/error.h"
#include "src/state/pipeline_state.h"
#include "src/state/state_fields.h"
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

constexpr uint8_t AlphaBit = VK_COLOR_COMPONENT_A_BIT; // of masks of components

// A VGPR of the main part's outputs, or one of the constants below.
using EpilogSource = uint8_t;
constexpr EpilogSource NoSource = 0xff;  // not exported
constexpr EpilogSource OneSource = 0xfe; // 1.0

struct ColorExport {
  uint8_t target = 0; // API target; the hardware numbers exported targets compactly, in this order
  ExportFormat format = ExportFormat::Zero;
  std::array<EpilogSource, 4> components = {NoSource, NoSource, NoSource, NoSource}; // r, g, b, a
  bool clampToUnit = false;
  IntegerClamp integerClamp = IntegerClamp::None;
  bool isSigned = false; // of integerClamp

  bool operator==(const ColorExport &) const = default;
  // Bit 0 is r.
  uint8_t componentMask() const;
};
DOVETAIL_FIELDS(ColorExport, target, format, components, clampToUnit, integerClamp, isSigned)

struct FragmentEpilogKey {
  static constexpr PartKind Kind = PartKind::FragmentEpilog;

  std::string gpuName;
  std::vector<Binding> inputs; // the main part's outputs
  std::vector<ColorExport> colors;
  // The format of the MRTZ export; Zero if there is none.
  ExportFormat zFormat = ExportFormat::Zero;
  EpilogSource depth = NoSource;
  EpilogSource stencil = NoSource;
  EpilogSource sampleMask = NoSource;
  // Kills the pixels whose alpha does not pass; ALWAYS: no test.
  VkCompareOp alphaTestFunc = VK_COMPARE_OP_ALWAYS;
  EpilogSource alphaTestSource = NoSource;
  bool alphaTestClamp = false;
  // The hardware turns MRT0's alpha into coverage.
  bool alphaToCoverage = false;
  // If not 0 (and alphaToCoverage is false): the epilog turns coverageSource into a sample mask of this many samples.
  // Used if the exported alpha is 1.
  uint8_t coverageSamples = 0;
  EpilogSource coverageSource = NoSource;

  bool operator==(const FragmentEpilogKey &) const = default;

  // Every fragment main part needs one. Errors: those of makeFragmentEpilogKey().
  static Result<std::optional<FragmentEpilogKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "mrt0 FP16_ABGR v0 v1 v2 v3, mrtz 32_R depth v4, alpha test less".
  std::string describe() const;
  Contract contract() const;
  FragmentExports exports() const;
  void complete(Part &part) const;
};
DOVETAIL_FIELDS(FragmentEpilogKey, gpuName, inputs, colors, zFormat, depth, stencil, sampleMask, alphaTestFunc,
                alphaTestSource, alphaTestClamp, alphaToCoverage, coverageSamples, coverageSource)

// The key of the epilog that the fragment main part with this interface needs under this state.
// Errors: StateMismatch, naming location and format, if a colour's numeric class contradicts its target's format, or if
// the state blends with a second source that the shader does not write; Unsupported for a format that cannot be a
// colour target.
Result<FragmentEpilogKey> makeFragmentEpilogKey(const ShaderInterface &main, const PipelineState &state,
                                                std::string_view gpuName);

// The steps of the epilog.
Listing listingOf(const FragmentEpilogKey &key);

// The epilog as a function `amdgpu_ps void name(i32 inreg × SGPR inputs, float × VGPR inputs)`.
llvm::Function *emitFunction(llvm::Module &module, const FragmentEpilogKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const FragmentEpilogKey &key);

// The export that the state asks for with one colour target (color_export_format.cpp).
struct ColorExportNeeds {
  ExportFormat format = ExportFormat::Zero; // Zero: nothing reaches the target
  uint8_t componentMask = 0;                // the components that are stored, or read by blending or alpha-to-coverage
  bool dualSource = false;                  // blend factors read the second source
  bool showsSecondSource = false;           // and their results are stored
};

// `alphaToCoverage`: the hardware takes coverage from this target's alpha. Errors: Unsupported, naming the format.
Result<ColorExportNeeds> findColorExportNeeds(const ColorTarget &target, bool alphaToCoverage);

} // namespace dovetail
