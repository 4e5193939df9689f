// SPDX-License-Identifier: MIT
//
// Variables and pointer types change their storage class, and the variable gets a free set and binding. Layouts stay
// the same: lavapipe reads uniform buffers by their offsets.
#include "tools/proof/reference/adapt/push_constants.h"
#include "tools/proof/spirv/spirv_words.h"
#include <algorithm>
#include <utility>

namespace dovetail {

namespace {

using Words = std::vector<uint32_t>;

bool isAnnotation(spv::Op opcode) {
  return opcode == spv::Op::OpDecorate || opcode == spv::Op::OpMemberDecorate || opcode == spv::Op::OpDecorationGroup ||
         opcode == spv::Op::OpDecorateId;
}

bool isOf(uint32_t storageClass) {
  return static_cast<spv::StorageClass>(storageClass) == spv::StorageClass::PushConstant;
}

Words readFromBuffer(const Words &words, uint32_t set, uint32_t binding) {
  // OpVariable: type, result, storage class.
  std::vector<uint32_t> variables;
  eachInstruction(words, [&](SpirvInstruction inst) {
    if (opcodeOf(inst) == spv::Op::OpVariable && isOf(inst[3]))
      variables.push_back(inst[2]);
  });
  if (variables.empty())
    return words;
  Words out(words.begin(), words.begin() + SpirvHeaderWords);
  bool isDecorated = false;
  eachInstruction(words, [&](SpirvInstruction inst) {
    // A block's members have offsets, so the module has annotations; the new ones go in front of the first.
    if (isAnnotation(opcodeOf(inst)) && !std::exchange(isDecorated, true))
      for (uint32_t variable : variables) {
        appendInstruction(out, spv::Op::OpDecorate,
                          {variable, static_cast<uint32_t>(spv::Decoration::DescriptorSet), set});
        appendInstruction(out, spv::Op::OpDecorate,
                          {variable, static_cast<uint32_t>(spv::Decoration::Binding), binding});
      }
    const size_t begin = out.size();
    out.insert(out.end(), inst.begin(), inst.end());
    const size_t storageClass = opcodeOf(inst) == spv::Op::OpVariable      ? 3
                                : opcodeOf(inst) == spv::Op::OpTypePointer ? 2
                                                                           : 0;
    if (storageClass && isOf(inst[storageClass]))
      out[begin + storageClass] = static_cast<uint32_t>(spv::StorageClass::Uniform);
  });
  return out;
}

} // namespace

Scene withPushConstantsInBuffer(Scene scene) {
  if (scene.pushConstants.size() <= ReferencePushConstantBytes)
    return scene;
  SceneDescriptor descriptor;
  descriptor.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
  descriptor.buffer = static_cast<uint32_t>(scene.buffers.size());
  for (const SceneDescriptor &other : scene.descriptors)
    if (other.set == descriptor.set)
      descriptor.binding = std::max(descriptor.binding, other.binding + 1);
  for (SceneShader &shader : scene.shaders)
    shader.words = readFromBuffer(shader.words, descriptor.set, descriptor.binding);
  for (SceneAddress &address : scene.addresses)
    if (address.holder == NoSceneBuffer)
      address.holder = descriptor.buffer;
  scene.buffers.push_back(std::exchange(scene.pushConstants, {}));
  scene.descriptors.push_back(descriptor);
  return scene;
}

} // namespace dovetail
