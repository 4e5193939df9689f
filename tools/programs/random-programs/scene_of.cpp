// SPDX-License-Identifier: MIT
#include "tools/programs/random-programs/scene_of.h"
#include "tools/programs/random-programs/program/structures.h"
#include "tools/programs/random-programs/spirv/spirv_interface.h"
#include "tools/programs/random-programs/spirv/write_spirv.h"
#include "variants/state/default_state.h"
#include <algorithm>
#include <cstring>
#include <fmt/ranges.h>

namespace dovetail::random_programs {

namespace {

using Bytes = std::vector<uint8_t>;

constexpr uint32_t MaxCapturedPerLane = 4;

void appendWord(Bytes &bytes, uint32_t word) {
  for (size_t i = 0; i < 4; ++i)
    bytes.push_back(uint8_t(word >> (8 * i)));
}

// The bytes of components, laid out as in a buffer.
Bytes bytesOf(const std::vector<uint64_t> &components, unsigned content) {
  const Type type = typeOfContent(content);
  const unsigned count = type.components(), size = sizeOf(type);
  Bytes bytes(components.size() / count * size);
  for (unsigned component = 0; component < count; ++component) {
    const unsigned offset = offsetOfComponent(type, component), width = bitsOf(type.scalarOf(component)) / 8;
    for (size_t element = 0; element < components.size() / count; ++element)
      std::memcpy(&bytes[element * size + offset], &components[element * count + component], width);
  }
  return bytes;
}

Bytes bytesOf(std::span<const uint32_t> words, unsigned stride = 4) {
  Bytes bytes;
  for (uint32_t word : words) {
    appendWord(bytes, word);
    bytes.resize(bytes.size() + stride - 4);
  }
  return bytes;
}

std::vector<uint32_t> countersOf(const Shader &shader) {
  std::vector<uint32_t> counters;
  for (uint32_t i = 0; i < shader.programCount * CounterWords; ++i)
    counters.push_back(initialCounter(i));
  return counters;
}

// A buffer of the scene, and where it is bound.
struct BoundBuffer {
  uint32_t binding = 0, element = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  Space space = Space::Output;
  unsigned content = unsigned(Scalar::I32);
  Bytes bytes;
};

std::vector<BoundBuffer> buffersOf(const Shader &shader) {
  constexpr VkDescriptorType Storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  const Uses uses = usesOf(shader);
  std::vector<BoundBuffer> buffers;
  if (uses.has(Space::Output))
    buffers.push_back({OutputBinding, 0, Storage, Space::Output, unsigned(Scalar::I32),
                       bytesOf(std::vector<uint32_t>(shader.outputWords(), UnwrittenWord))});
  if (uses.has(Space::Counters))
    buffers.push_back(
        {CountersBinding, 0, Storage, Space::Counters, unsigned(Scalar::I32), bytesOf(countersOf(shader))});
  if (uses.has(Space::Uniform))
    buffers.push_back({UniformBinding, 0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, Space::Uniform, unsigned(Scalar::I32),
                       bytesOf(shader.uniforms, 16)});
  if (uses.has(Space::Several))
    for (uint32_t element = 0; element < SeveralBuffers; ++element)
      buffers.push_back({SeveralBinding, element, Storage, Space::Several, unsigned(Scalar::I32),
                         bytesOf(std::span(shader.several).subspan(size_t(element) * InputElements, InputElements))});
  for (unsigned i = 0; i < ContentCount; ++i) {
    if (uses.has(Space::Input, i))
      buffers.push_back({InputBinding + i, 0, Storage, Space::Input, i, bytesOf(shader.inputs[i], i)});
    if (uses.has(Space::Scratch, i))
      buffers.push_back({ScratchBinding + i, 0, Storage, Space::Scratch, i, bytesOf(shader.scratch[i], i)});
  }
  return buffers;
}

bool usesPush(const Uses &uses) {
  return uses.has(Space::Push) || uses.has(Space::Pointer);
}

Bytes pushConstantsOf(const Shader &shader) {
  Bytes bytes(PushWordsOffset);
  const Bytes words = bytesOf(shader.push);
  bytes.insert(bytes.end(), words.begin(), words.end());
  return bytes;
}

VkShaderStageFlagBits vulkanStage(Stage stage) {
  constexpr VkShaderStageFlagBits Bits[] = {VK_SHADER_STAGE_COMPUTE_BIT,
                                            VK_SHADER_STAGE_VERTEX_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                            VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                            VK_SHADER_STAGE_GEOMETRY_BIT,
                                            VK_SHADER_STAGE_FRAGMENT_BIT};
  return Bits[size_t(stage)];
}

Scene sceneOf(const Shader &shader, const std::vector<StageModule> &modules, PipelineState state) {
  Scene scene;
  scene.name = fmt::format("seed {}", shader.seed);
  scene.seed = shader.seed;
  scene.state = std::move(state);
  const bool isCompute = shader.stage == Stage::Compute;
  for (const StageModule &module : modules)
    scene.shaders.push_back({.name = scene.name, .stage = vulkanStage(module.stage), .words = module.words});
  scene.workgroups = {shader.groups(), 1, 1};
  if (shader.isChain)
    scene.vertexCount = shader.lanes;
  for (BoundBuffer &buffer : buffersOf(shader)) {
    scene.descriptors.push_back({.binding = buffer.binding,
                                 .element = buffer.element,
                                 .type = buffer.type,
                                 .buffer = uint32_t(scene.buffers.size())});
    scene.buffers.push_back(std::move(buffer.bytes));
  }
  const Uses uses = usesOf(shader);
  if (usesPush(uses)) {
    scene.pushConstants = pushConstantsOf(shader);
    scene.addresses.push_back({.buffer = uint32_t(scene.buffers.size())});
    scene.buffers.push_back(bytesOf(shader.pointed));
  }
  for (uint32_t buffer = 0; buffer < CaptureBuffers && shader.capturesVertices; ++buffer) {
    const size_t words = size_t(shader.lanes) * MaxCapturedPerLane * CapturedStrides[buffer] / 4;
    scene.transformFeedbackBuffers.push_back(uint32_t(scene.buffers.size()));
    scene.buffers.push_back(bytesOf(std::vector<uint32_t>(words, UnwrittenWord)));
  }
  scene.width = scene.height = 8;
  if (!isCompute) {
    const auto &[x, y, width, height] = shader.scissor;
    scene.viewports = {{0, 0, 8, 8, 0, 1}};
    scene.scissors = {{{int32_t(x), int32_t(y)}, {width, height}}};
  }
  return scene;
}

std::string base64(const Bytes &bytes) {
  constexpr char Digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t count = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < count ? bytes[i + k] : 0);
    for (size_t k = 0; k < 4; ++k)
      text += k <= count ? Digits[group >> (18 - 6 * k) & 63] : '=';
  }
  return text;
}

// A short list is written as words, which are easy to read.
std::string bytesJson(const Bytes &bytes) {
  return fmt::format("{{\"base64\": \"{}\"}}", base64(bytes));
}

} // namespace

lgc::ShaderStage stageOf(Stage stage) {
  using lgc::ShaderStage;
  constexpr ShaderStage Stages[] = {ShaderStage::Compute,  ShaderStage::Vertex,   ShaderStage::TessControl,
                                    ShaderStage::TessEval, ShaderStage::Geometry, ShaderStage::Fragment};
  return Stages[size_t(stage)];
}

Result<DrawCase> caseOf(const Shader &shader, const std::vector<StageModule> &modules, unsigned optimizationLevel) {
  std::vector<ShaderRef> shaders;
  for (const StageModule &module : modules) {
    ShaderDescription description{fmt::format("seed {}", shader.seed), module.words, "main", stageOf(module.stage), {}};
    description.optimizationLevel = optimizationLevel;
    shaders.push_back(DOVETAIL_TRY(createShader(std::move(description))));
  }
  DrawCase drawCase;
  drawCase.shaders = DOVETAIL_TRY(makeShaderSet(shaders));
  PipelineState state = defaultState(drawCase.shaders);
  if (shader.isChain) {
    state.topology = shader.hasTessellation ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    state.patchControlPoints = 1;
  }
  drawCase.scene = sceneOf(shader, modules, std::move(state));
  return drawCase;
}

std::string stateFileOf(const Shader &shader) {
  std::string text = "{\n";
  if (shader.isChain)
    text += fmt::format("  \"topology\": \"VK_PRIMITIVE_TOPOLOGY_{}_LIST\", \"patchControlPoints\": 1,\n",
                        shader.hasTessellation ? "PATCH" : "POINT");
  text += "  \"scene\": {\n";
  if (shader.stage == Stage::Compute) {
    text += fmt::format("    \"workgroups\": [{}, 1, 1]", shader.groups());
  } else {
    const auto &[x, y, width, height] = shader.scissor;
    text +=
        fmt::format("    \"width\": 8, \"height\": 8, \"vertexCount\": {}, \"indices\": [],\n    \"viewports\": "
                    "[{{\"x\": 0, \"y\": 0, \"width\": 8, "
                    "\"height\": 8, \"minDepth\": 0, \"maxDepth\": 1}}],\n    \"scissors\": [{{\"x\": {}, \"y\": {}, "
                    "\"width\": {}, \"height\": {}}}]",
                    shader.isChain ? shader.lanes : 3, x, y, width, height);
  }
  if (usesPush(usesOf(shader)))
    text += ",\n    \"pushConstants\": " + bytesJson(pushConstantsOf(shader));
  text += ",\n    \"buffers\": [";
  const char *separator = "";
  for (const BoundBuffer &buffer : buffersOf(shader)) {
    text += fmt::format("{}\n      {{\"set\": 0, \"binding\": {}, \"element\": {}, \"data\": {}}}", separator,
                        buffer.binding, buffer.element, bytesJson(buffer.bytes));
    separator = ",";
  }
  return text + "\n    ]\n  }\n}\n";
}

namespace {

// Behind the captured bytes, the buffer has room that must stay unwritten.
void compareCaptured(const Scene &scene, const SceneResult &result, const Interpretation &expected,
                     Difference &difference) {
  for (uint32_t buffer = 0; buffer < scene.transformFeedbackBuffers.size(); ++buffer) {
    const uint32_t index = scene.transformFeedbackBuffers[buffer];
    if (index >= result.buffers.size())
      continue;
    Bytes wanted = scene.buffers[index];
    const Bytes captured = bytesOf(expected.captured[buffer]);
    std::ranges::copy(captured, wanted.begin());
    for (size_t at = 0; at + 4 <= wanted.size(); at += 4) {
      if (std::memcmp(&wanted[at], &result.buffers[index][at], 4) == 0)
        continue;
      if (difference.count++ > 0)
        continue;
      uint32_t should = 0, is = 0;
      std::memcpy(&should, &wanted[at], 4);
      std::memcpy(&is, &result.buffers[index][at], 4);
      difference.text = fmt::format("transform feedback buffer {} vertex {} byte {}: expected {:#x}, got {:#x}", buffer,
                                    at / CapturedStrides[buffer], at % CapturedStrides[buffer], should, is);
    }
  }
}

} // namespace

Difference compareWords(const Shader &shader, const Scene &scene, const SceneResult &result,
                        const Interpretation &expected) {
  Difference difference;
  const std::vector<BoundBuffer> buffers = buffersOf(shader);
  for (size_t i = 0; i < buffers.size(); ++i) {
    const BoundBuffer &buffer = buffers[i];
    Bytes wanted = scene.buffers[i];
    if (buffer.space == Space::Output)
      wanted = bytesOf(expected.output);
    else if (buffer.space == Space::Counters)
      wanted = bytesOf(expected.counters);
    else if (buffer.space == Space::Scratch)
      wanted = bytesOf(expected.scratch[buffer.content], buffer.content);
    const Bytes &found = i < result.buffers.size() ? result.buffers[i] : wanted;
    if (wanted.size() == found.size() && std::memcmp(wanted.data(), found.data(), wanted.size()) == 0)
      continue;
    const Type type = typeOfContent(buffer.content);
    const size_t stride = buffer.space == Space::Uniform ? 16 : sizeOf(type), count = type.components();
    // Compare component by component: bytes between components may be anything.
    for (size_t number = 0; number < wanted.size() / stride * count; ++number) {
      const auto index = uint32_t(number / count), component = uint32_t(number % count);
      const size_t at = index * stride + offsetOfComponent(type, component);
      const size_t size = bitsOf(type.scalarOf(component)) / 8;
      if (at + size > found.size() || std::memcmp(&wanted[at], &found[at], size) == 0)
        continue;
      if (difference.count++ > 0)
        continue;
      uint64_t should = 0, is = 0;
      std::memcpy(&should, &wanted[at], size);
      std::memcpy(&is, &found[at], size);
      std::string place = fmt::format("binding {} element {}", buffer.binding, index);
      if (buffer.space == Space::Output) {
        difference.program = index / OutputWords / shader.lanes;
        place = fmt::format("program {} lane {} word {}", *difference.program, index / OutputWords % shader.lanes,
                            index % OutputWords);
      } else if (buffer.space == Space::Counters) {
        difference.program = index / CounterWords;
        place = fmt::format("program {} counter {}", *difference.program, index % CounterWords);
      } else if (buffer.space == Space::Scratch) {
        const unsigned elements = scratchElements(buffer.content);
        place = fmt::format("scratch of {}, lane {} element {} component {}", print(type), index / elements,
                            index % elements, component);
      }
      difference.text = fmt::format("{}: expected {:#x}, got {:#x}", place, should, is);
    }
  }
  compareCaptured(scene, result, expected, difference);
  return difference;
}

} // namespace dovetail::random_programs
