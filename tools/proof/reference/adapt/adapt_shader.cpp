// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/adapt_shader.h"
#include "tools/proof/reference/adapt/adapt_opengl.h"
#include "tools/proof/reference/adapt/clamp_depth.h"
#include "tools/proof/reference/adapt/min_lod.h"
#include "tools/proof/reference/adapt/run_passes.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <span>
#include <spirv/unified1/GLSL.std.450.h>
#include <unordered_map>

namespace dovetail {

namespace {

using spv::Op;
using Words = SpirvEditor::Words;
using Instruction = SpirvEditor::Instruction;

// Gives OpImageSampleImplicitLod and its like unit vectors as coordinates of cubes.
class CubeDirections : SpirvEditor {
public:
  using SpirvEditor::SpirvEditor;

  Words run() {
    return rewrite([&](Instruction inst) {
      switch (inst.opcode) {
      case Op::OpImageSampleImplicitLod:
      case Op::OpImageSampleDrefImplicitLod:
      case Op::OpImageSparseSampleImplicitLod:
      case Op::OpImageQueryLod:
        normalize(inst);
        break;
      default:
        break;
      }
      emit(inst);
    });
  }

private:
  void normalize(Instruction &inst) {
    constexpr size_t Dimension = 1, Arrayed = 3;
    const Instruction *image = imageOf(typeOf(inst.operands[0]));
    if (!image || !image->is(Dimension, spv::Dim::Cube))
      return;
    const uint32_t glsl = declareImport("GLSL.std.450"), scalar = declareType(Op::OpTypeFloat, {32});
    const uint32_t vector = declareType(Op::OpTypeVector, {scalar, 3});
    const uint32_t given = inst.operands[1];
    uint32_t &coordinate = inst.operands[1];
    // A query of the LOD takes no cube number.
    const bool hasLayer = !image->is(Arrayed, 0) && inst.opcode != Op::OpImageQueryLod;
    if (hasLayer)
      coordinate = emit(Op::OpVectorShuffle, vector, {given, given, 0, 1, 2});
    coordinate = emit(Op::OpExtInst, vector, {glsl, GLSLstd450Normalize, coordinate});
    if (hasLayer)
      coordinate = emit(Op::OpVectorShuffle, typeOf(given), {coordinate, given, 0, 1, 2, 6});
  }
};

// Gives arrays of images and samplers without a size the size that they have in the scene.
Words withSizes(const Words &words) {
  SpirvEditor editor(words);
  return editor.rewrite([&](Instruction inst) {
    if (inst.opcode == Op::OpTypeRuntimeArray) {
      const Op element = editor.definition(inst.operands[0]).opcode;
      if (element >= Op::OpTypeImage && element <= Op::OpTypeSampledImage) { // also OpTypeSampler
        inst.opcode = Op::OpTypeArray;
        inst.operands.push_back(
            editor.declareConstant(editor.declareType(Op::OpTypeInt, {32, 0}), {UnsizedArrayElements}));
      }
    }
    editor.emit(inst);
  });
}

// Whether an index into an array of images or samplers is not constant.
bool indexesDescriptors(const Words &words) {
  const SpirvEditor module(words);
  return std::ranges::any_of(module.instructions(), [&](const Instruction &inst) {
    if (!inst.isAccessChain() || inst.operands.size() < 2 || module.valueOf(inst.operands[1]))
      return false;
    const Instruction &base = module.definition(inst.operands[0]);
    return base.opcode == Op::OpVariable && base.is(0, spv::StorageClass::UniformConstant);
  });
}

// The optimiser refuses a module whose OpSource names a language that it does not know (11 is Slang).
Words withoutLanguage(const Words &words) {
  SpirvEditor editor(words);
  return editor.rewrite([&](Instruction inst) {
    if (inst.opcode == Op::OpSource)
      inst.operands[0] = uint32_t(spv::SourceLanguage::Unknown);
    editor.emit(inst);
  });
}

// The layout and locations of OpenGL's uniforms depend on the lengths of arrays. So constants are specialised here,
// before the pipeline does it.
Words specialized(const SceneShader &shader) {
  auto isSpecConstant = [](const Instruction &inst) {
    return inst.opcode >= Op::OpSpecConstantTrue && inst.opcode <= Op::OpSpecConstantOp;
  };
  if (std::ranges::none_of(SpirvEditor(shader.words).instructions(), isSpecConstant))
    return shader.words;
  std::unordered_map<uint32_t, std::vector<uint32_t>> values;
  for (const SceneSpecConstant &constant : shader.specConstants) {
    values[constant.id] = {static_cast<uint32_t>(constant.value), static_cast<uint32_t>(constant.value >> 32)};
    values[constant.id].resize(constant.bytes / sizeof(uint32_t));
  }
  auto passes = [&](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateSetSpecConstantDefaultValuePass(values));
    optimizer.RegisterPass(spvtools::CreateFreezeSpecConstantValuePass());
    optimizer.RegisterPass(spvtools::CreateFoldSpecConstantOpAndCompositePass());
  };
  return runPasses(shader.words, SPV_ENV_UNIVERSAL_1_6, passes).value_or(shader.words);
}

// lavapipe ignores workgroup sizes that are ids of constants (LocalSizeId), so they become numbers.
Words withLocalSize(const SceneShader &shader) {
  auto isLocalSizeId = [](const Instruction &inst) {
    return inst.opcode == Op::OpExecutionModeId && inst.is(1, spv::ExecutionMode::LocalSizeId);
  };
  if (std::ranges::none_of(SpirvEditor(shader.words).instructions(), isLocalSizeId))
    return shader.words;
  SpirvEditor editor(specialized(shader));
  return editor.rewrite([&](Instruction inst) {
    if (isLocalSizeId(inst)) {
      inst.opcode = Op::OpExecutionMode;
      inst.operands[1] = uint32_t(spv::ExecutionMode::LocalSize);
      for (uint32_t &size : std::span(inst.operands).subspan(2))
        size = editor.valueOf(size).value_or(0);
    }
    editor.emit(inst);
  });
}

Words withConstantIndices(const Words &given) {
  auto passes = [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateReplaceDescArrayAccessUsingVarIndexPass());
  };
  return runPasses(withoutLanguage(given), SPV_ENV_VULKAN_1_3, passes).value_or(given);
}

} // namespace

std::vector<uint32_t> adaptShader(std::vector<uint32_t> words) {
  words = withoutMinLod(words);
  words = withClampedDepth(withSizes(CubeDirections(words).run()));
  return indexesDescriptors(words) ? withConstantIndices(words) : words;
}

Scene adaptShaders(Scene scene) {
  for (SceneShader &shader : scene.shaders) {
    if (shader.isOpenGl)
      shader.words = fromOpenGl(specialized(shader), shader.stage, scene.height);
    shader.isOpenGl = false;
    shader.words = adaptShader(withLocalSize(shader));
  }
  return scene;
}

} // namespace dovetail
