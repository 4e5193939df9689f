// SPDX-License-Identifier: MIT
//
// The fragment prolog does the work that state adds in front of a fragment shader. It kills by the polygon stipple,
// chooses where inputs are interpolated, makes GL's colours, and narrows the sample mask. Most states need none of
// these.
//
// The hardware loads the inputs that the prolog and the main part read (launchInputs). The prolog hands on the inputs
// that the main part was compiled for (mainInputs), each where the main part expects it.
#pragma once

#include "parts/kinds/around/surroundings.h"
#include "src/base/error.h"
#include "src/base/fields.h"
#include "src/state/pipeline_state.h"
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dovetail {

// Where barycentric weights are taken.
enum class WeightSource : uint8_t { AsDeclared, Sample, Center };
DOVETAIL_LAST(WeightSource, Center)

// One of GL's colours, as the prolog makes it.
struct PrologColor {
  uint8_t index = 0;         // 0, 1
  uint8_t componentMask = 0; // bit 0 is r
  uint8_t attribute = 0;     // number of the v_interp attribute
  uint8_t backAttribute = 0; // two-side only
  bool flat = false;
  bool twoSide = false; // back faces take backAttribute

  bool operator==(const PrologColor &) const = default;
};
DOVETAIL_FIELDS(PrologColor, index, componentMask, attribute, backAttribute, flat, twoSide)

struct FragmentPrologKey {
  static constexpr PartKind Kind = PartKind::FragmentProlog;

  std::string gpuName;
  uint8_t sgprCount = 0;     // passed on from s0; the last one is ScratchOffset, if there is one
  uint8_t primMask = 0;      // the SGPR that has PrimMask
  uint32_t launchInputs = 0; // PsInputBits that the hardware loads
  uint32_t mainInputs = 0;   // PsInputBits that the main part takes
  bool polygonStipple = false;
  bool optimizeCentroid = false; // the hardware leaves centroids out if PrimMask[31] says so
  WeightSource weights = WeightSource::AsDeclared;
  uint8_t sampleMaskShift = 0; // 0: the sample mask is unchanged; n: of every 2^n samples, this invocation's
  std::vector<PrologColor> colors;

  bool operator==(const FragmentPrologKey &) const = default;

  // Nothing if the main part needs none. Errors: those of makeFragmentPrologKey().
  static Result<std::optional<FragmentPrologKey>> make(const Surroundings &around);
  PartKey partKey() const;
  // "stipple, weights at the sample, color0 two-side".
  std::string describe() const;
  Contract contract() const;
  void complete(Part &part) const;
};
DOVETAIL_FIELDS(FragmentPrologKey, gpuName, sgprCount, primMask, launchInputs, mainInputs, polygonStipple,
                optimizeCentroid, weights, sampleMaskShift, colors)

// The key of the prolog that the fragment main part with this interface needs under this state, or nothing if it needs
// none. Errors: Unsupported if there are too many inputs.
Result<std::optional<FragmentPrologKey>> makeFragmentPrologKey(const ShaderInterface &main, const PipelineState &state,
                                                               std::string_view gpuName);

// The steps of the prolog.
Listing listingOf(const FragmentPrologKey &key);

// The prolog as a function `amdgpu_ps {i32 × sgprCount, float × inputs and colours of the main part} name(i32 inreg ×
// sgprCount, LLVM's 16 fragment inputs)`.
llvm::Function *emitFunction(llvm::Module &module, const FragmentPrologKey &key, std::string_view name);
Result<void> composeAround(lgc::HardwareFormShader &shader, const FragmentPrologKey &key);

} // namespace dovetail
