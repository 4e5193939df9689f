// SPDX-License-Identifier: MIT
//
// Variables and pointer types change their storage class, and the variable gets a free set and binding. Layouts stay
// the same: lavapipe reads uniform buffers by their offsets.
#include "tools/proof/reference/adapt/push_constants.h"
#include "tools/proof/spirv/spirv_editor.h"
#include <algorithm>
#include <utility>

namespace dovetail {

namespace {

std::vector<uint32_t> readFromBuffer(const std::vector<uint32_t> &words, uint32_t set, uint32_t binding) {
  SpirvEditor editor(words);
  return editor.rewrite([&](SpirvEditor::Instruction inst) {
    const bool isVariable = inst.opcode == spv::Op::OpVariable;
    if ((isVariable || inst.opcode == spv::Op::OpTypePointer) && inst.is(0, spv::StorageClass::PushConstant)) {
      inst.operands[0] = uint32_t(spv::StorageClass::Uniform);
      if (isVariable) {
        editor.decorate(inst.result, spv::Decoration::DescriptorSet, {set});
        editor.decorate(inst.result, spv::Decoration::Binding, {binding});
      }
    }
    editor.emit(inst);
  });
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
