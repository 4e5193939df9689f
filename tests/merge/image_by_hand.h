// SPDX-License-Identifier: MIT
//
// Images of every kind of pipeline on both generations, in which only the registers are missing. The images have no
// code: they have the interfaces, the usage and the layouts that registers are made from.
#pragma once

#include "merge/image.h"
#include "src/abi/target_info.h"
#include "src/state/pipeline_state.h"
#include <deque>
#include <vector>

namespace dovetail::test {

struct PipelineKind {
  const char *name;
  bool isGfx8;
  bool hasTessellation;
  bool hasGeometry;
  bool isCompute = false;
};

std::vector<PipelineKind> allPipelineKinds();

// The image points to the interfaces, so it is not copied.
struct ImageByHand {
  explicit ImageByHand(const PipelineKind &kind);
  ImageByHand(const ImageByHand &) = delete;
  ImageByHand &operator=(const ImageByHand &) = delete;

  ShaderInterface &interfaceOf(HardwareStage stage);
  ImageStage &stageOf(HardwareStage stage);
  // The registers of the finished image, ordered by address.
  std::vector<RegisterValue> registers();
  uint32_t at(uint32_t address);

  TargetInfo target;
  PipelineState state;
  Image image;

private:
  // Returns the stage; its interface and the first half's are default ones with the stage set.
  ImageStage &add(HardwareStage stage, Usage usage, std::vector<uint32_t> userData);
  ShaderInterface &addInterface(HardwareStage stage, VertexSource source);
  void addVertex(const PipelineKind &kind);
  void addTessellation(const PipelineKind &kind);
  void addGeometry(const PipelineKind &kind);
  void addPixel();
  void addCompute();

  std::deque<ShaderInterface> m_interfaces;
  FragmentExports m_exports;
};

} // namespace dovetail::test
