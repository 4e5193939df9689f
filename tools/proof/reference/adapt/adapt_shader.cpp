// SPDX-License-Identifier: MIT
#include "tools/proof/reference/adapt/adapt_shader.h"
#include "tools/proof/reference/adapt/adapt_opengl.h"
#include "tools/proof/reference/adapt/clamp_depth.h"
#include "tools/proof/reference/adapt/glsl_import.h"
#include "tools/proof/reference/adapt/min_lod.h"
#include "tools/proof/reference/adapt/run_passes.h"
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/spirv.hpp11>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace dovetail {

namespace {

using Words = std::vector<uint32_t>;
using Instruction = SpirvInstruction;

// Gives OpImageSampleImplicitLod and its like unit vectors as coordinates of cubes.
class CubeDirections {
public:
  explicit CubeDirections(const Words &words)
      : m_words(words), m_bound(words[SpirvBoundWord]), m_glsl(findGlslImport(words)) {
    eachInstruction(words, [&](Instruction inst) { index(inst); });
  }

  Words run() {
    if (!m_hasCubeSample)
      return m_words;
    m_out.assign(m_words.begin(), m_words.begin() + SpirvHeaderWords);
    eachInstruction(m_words, [&](Instruction inst) {
      if (opcodeOf(inst) == spv::Op::OpMemoryModel && m_glsl == 0)
        appendGlslImport(m_out, m_glsl = m_bound++);
      if (opcodeOf(inst) == spv::Op::OpFunction && !std::exchange(m_isInFunctions, true))
        declareVectors();
      const uint32_t coordinate = replaceCoordinate(inst);
      const size_t begin = m_out.size();
      m_out.insert(m_out.end(), inst.begin(), inst.end());
      if (coordinate != 0)
        m_out[begin + CoordinateWord] = coordinate;
    });
    m_out[SpirvBoundWord] = m_bound;
    return std::move(m_out);
  }

private:
  // Of the sampling instructions: result type, result, sampled image, coordinate.
  static constexpr size_t SampledImageWord = 3, CoordinateWord = 4;

  struct Cube {
    bool isArrayed = false;
  };

  void index(Instruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpTypeFloat:
      if (inst[2] == 32)
        m_float = inst[1];
      return;
    case spv::Op::OpTypeVector:
      if (m_float != 0 && inst[2] == m_float && inst[3] <= 4)
        m_vectors[inst[3]] = inst[1];
      return;
    case spv::Op::OpTypeImage: // result, sampled type, dimension, depth, arrayed
      if (static_cast<spv::Dim>(inst[3]) == spv::Dim::Cube)
        m_cubeTypes[inst[1]] = {inst[5] != 0};
      return;
    case spv::Op::OpTypeSampledImage:
      if (auto image = m_cubeTypes.find(inst[2]); image != m_cubeTypes.end())
        m_cubeTypes[inst[1]] = image->second;
      return;
    case spv::Op::OpLoad:
    case spv::Op::OpSampledImage:
    case spv::Op::OpCopyObject:
    case spv::Op::OpFunctionParameter:
      if (auto type = m_cubeTypes.find(inst[1]); type != m_cubeTypes.end())
        m_cubes[inst[2]] = type->second;
      return;
    default:
      m_hasCubeSample |= cubeOf(inst).has_value();
    }
  }

  // The cube, if the instruction samples one with an implicit LOD.
  std::optional<Cube> cubeOf(Instruction inst) const {
    switch (opcodeOf(inst)) {
    case spv::Op::OpImageSampleImplicitLod:
    case spv::Op::OpImageSampleDrefImplicitLod:
    case spv::Op::OpImageSparseSampleImplicitLod:
    case spv::Op::OpImageQueryLod:
      break;
    default:
      return std::nullopt;
    }
    auto cube = m_cubes.find(inst[SampledImageWord]);
    return cube == m_cubes.end() ? std::nullopt : std::optional(cube->second);
  }

  void declareVectors() {
    if (m_vectors[3] == 0) {
      m_vectors[3] = m_bound++;
      appendInstruction(m_out, spv::Op::OpTypeVector, {m_vectors[3], m_float, 3});
    }
  }

  // Returns the new coordinate, or 0.
  uint32_t replaceCoordinate(Instruction inst) {
    const std::optional<Cube> cube = cubeOf(inst);
    if (!cube)
      return 0;
    uint32_t direction = inst[CoordinateWord];
    // A query of the LOD takes no cube number.
    const bool hasLayer = cube->isArrayed && opcodeOf(inst) != spv::Op::OpImageQueryLod;
    if (hasLayer) {
      direction = m_bound++;
      appendInstruction(m_out, spv::Op::OpVectorShuffle,
                        {m_vectors[3], direction, inst[CoordinateWord], inst[CoordinateWord], 0, 1, 2});
    }
    const uint32_t unit = m_bound++;
    appendInstruction(m_out, spv::Op::OpExtInst, {m_vectors[3], unit, m_glsl, GLSLstd450Normalize, direction});
    if (!hasLayer)
      return unit;
    const uint32_t whole = m_bound++;
    appendInstruction(m_out, spv::Op::OpVectorShuffle, {m_vectors[4], whole, unit, inst[CoordinateWord], 0, 1, 2, 6});
    return whole;
  }

  const Words &m_words;
  Words m_out;
  uint32_t m_bound = 0;
  uint32_t m_glsl = 0, m_float = 0;
  std::array<uint32_t, 5> m_vectors = {}; // of floats, by their number of components
  std::unordered_map<uint32_t, Cube> m_cubeTypes, m_cubes;
  bool m_hasCubeSample = false, m_isInFunctions = false;
};

// Gives arrays of images and samplers without a size the size that they have in the scene.
Words withSizes(const Words &words) {
  std::unordered_set<uint32_t> opaque, arrays;
  uint32_t uintType = 0;
  bool isDeclaredBefore = false;
  eachInstruction(words, [&](Instruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpTypeImage:
    case spv::Op::OpTypeSampler:
    case spv::Op::OpTypeSampledImage:
      opaque.insert(inst[1]);
      return;
    case spv::Op::OpTypeInt:
      if (inst[2] == 32 && inst[3] == 0) {
        uintType = inst[1];
        isDeclaredBefore = arrays.empty();
      }
      return;
    case spv::Op::OpTypeRuntimeArray:
      if (opaque.contains(inst[2]))
        arrays.insert(inst[1]);
      return;
    default:
      return;
    }
  });
  if (arrays.empty())
    return words;
  Words out(words.begin(), words.begin() + SpirvHeaderWords);
  uint32_t bound = words[SpirvBoundWord], size = 0;
  if (uintType == 0)
    uintType = bound++;
  eachInstruction(words, [&](Instruction inst) {
    const bool isArray = opcodeOf(inst) == spv::Op::OpTypeRuntimeArray && arrays.contains(inst[1]);
    if (isArray && size == 0) {
      // The module may declare this type only further down, and must not declare it twice.
      size = bound++;
      if (!isDeclaredBefore)
        appendInstruction(out, spv::Op::OpTypeInt, {uintType, 32, 0});
      appendInstruction(out, spv::Op::OpConstant, {uintType, size, UnsizedArrayElements});
    }
    if (isArray)
      appendInstruction(out, spv::Op::OpTypeArray, {inst[1], inst[2], size});
    else if (opcodeOf(inst) != spv::Op::OpTypeInt || inst[1] != uintType || isDeclaredBefore)
      out.insert(out.end(), inst.begin(), inst.end());
  });
  out[SpirvBoundWord] = bound;
  return out;
}

// Whether an index into an array of images or samplers is not constant.
bool indexesDescriptors(const Words &words) {
  std::unordered_set<uint32_t> descriptorArrays, constants;
  bool isFound = false;
  eachInstruction(words, [&](Instruction inst) {
    switch (opcodeOf(inst)) {
    case spv::Op::OpConstant:
      constants.insert(inst[2]);
      return;
    case spv::Op::OpVariable:
      if (static_cast<spv::StorageClass>(inst[3]) == spv::StorageClass::UniformConstant)
        descriptorArrays.insert(inst[2]);
      return;
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
      isFound |= descriptorArrays.contains(inst[3]) && inst.size() > 4 && !constants.contains(inst[4]);
      return;
    default:
      return;
    }
  });
  return isFound;
}

// The optimiser refuses a module whose OpSource names a language that it does not know (11 is Slang).
Words withoutLanguage(const Words &words) {
  Words out(words.begin(), words.begin() + SpirvHeaderWords);
  eachInstruction(words, [&](Instruction inst) {
    const size_t begin = out.size();
    out.insert(out.end(), inst.begin(), inst.end());
    if (opcodeOf(inst) == spv::Op::OpSource)
      out[begin + 1] = static_cast<uint32_t>(spv::SourceLanguage::Unknown);
  });
  return out;
}

// The layout and locations of OpenGL's uniforms depend on the lengths of arrays. So constants are specialised here,
// before the pipeline does it.
Words specialized(const SceneShader &shader) {
  bool hasConstants = false;
  eachInstruction(shader.words, [&](Instruction inst) {
    hasConstants |= opcodeOf(inst) >= spv::Op::OpSpecConstantTrue && opcodeOf(inst) <= spv::Op::OpSpecConstantOp;
  });
  if (!hasConstants)
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
  bool isNeeded = false;
  auto isLocalSizeId = [](Instruction inst) {
    return opcodeOf(inst) == spv::Op::OpExecutionModeId && inst.size() == 6 &&
           static_cast<spv::ExecutionMode>(inst[2]) == spv::ExecutionMode::LocalSizeId;
  };
  eachInstruction(shader.words, [&](Instruction inst) { isNeeded |= isLocalSizeId(inst); });
  if (!isNeeded)
    return shader.words;
  const Words words = specialized(shader);
  std::unordered_map<uint32_t, uint32_t> constants;
  eachInstruction(words, [&](Instruction inst) {
    if (opcodeOf(inst) == spv::Op::OpConstant)
      constants[inst[2]] = inst[3];
  });
  Words out(words.begin(), words.begin() + SpirvHeaderWords);
  eachInstruction(words, [&](Instruction inst) {
    if (isLocalSizeId(inst))
      appendInstruction(out, spv::Op::OpExecutionMode,
                        {inst[1], static_cast<uint32_t>(spv::ExecutionMode::LocalSize), constants[inst[3]],
                         constants[inst[4]], constants[inst[5]]});
    else
      out.insert(out.end(), inst.begin(), inst.end());
  });
  return out;
}

Words withConstantIndices(const Words &given) {
  auto passes = [](spvtools::Optimizer &optimizer) {
    optimizer.RegisterPass(spvtools::CreateReplaceDescArrayAccessUsingVarIndexPass());
  };
  return runPasses(withoutLanguage(given), SPV_ENV_VULKAN_1_3, passes).value_or(given);
}

} // namespace

std::vector<uint32_t> adaptShader(std::vector<uint32_t> words) {
  if (words.size() < SpirvHeaderWords)
    return words;
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
