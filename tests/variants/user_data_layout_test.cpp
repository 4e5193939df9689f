// SPDX-License-Identifier: MIT
#include "variants/user_data_layout.h"
#include <doctest/doctest.h>

using namespace dovetail;
using spirv::DescriptorKind;

namespace {

spirv::Reflection shaderWith(std::vector<spirv::DescriptorBinding> descriptors, uint32_t pushConstantBytes = 0) {
  spirv::Reflection reflection;
  reflection.descriptors = std::move(descriptors);
  reflection.pushConstantBytes = pushConstantBytes;
  return reflection;
}

spirv::DescriptorBinding bound(uint32_t set, uint32_t binding, DescriptorKind kind, uint32_t arraySize) {
  spirv::DescriptorBinding result;
  result.set = set;
  result.binding = binding;
  result.kind = kind;
  result.arraySize = arraySize;
  return result;
}

UserDataNodes layOut(const std::vector<spirv::Reflection> &shaders, const AutomaticLayout &options = {}) {
  std::vector<const spirv::Reflection *> pointers;
  for (const spirv::Reflection &shader : shaders)
    pointers.push_back(&shader);
  Result<UserDataNodes> nodes = layOutUserData(pointers, options);
  if (!nodes)
    FAIL(nodes.error().text);
  return *nodes;
}

UserDataNode table(uint32_t set, uint32_t offset) {
  return {UserDataNodeType::DescriptorTable, set, 0, offset, 1, 0};
}

} // namespace

TEST_CASE("a shader without resources has an empty root table") {
  CHECK(layOut({shaderWith({})}).empty());
}

TEST_CASE("each used set has a root dword, and push constants come last") {
  auto nodes = layOut(
      {shaderWith({bound(3, 0, DescriptorKind::Sampler, 1), bound(1, 0, DescriptorKind::UniformBuffer, 1)}, 20)});
  REQUIRE(nodes.size() == 5);
  CHECK(nodes[0] == table(1, 0));
  CHECK(nodes[1] == table(3, 1));
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::PushConstants, 0, 0, 2, 5, 0});
}

TEST_CASE("a binding lies at its number times the size of a slot, whatever its kind and whatever else is in the set") {
  auto nodes = layOut({shaderWith(
      {bound(0, 7, DescriptorKind::StorageBuffer, 1), bound(0, 2, DescriptorKind::UniformTexelBuffer, 1),
       bound(0, 1, DescriptorKind::CombinedImageSampler, 1), bound(0, 0, DescriptorKind::StorageImage, 1)})});
  REQUIRE(nodes.size() == 5);
  CHECK(nodes[1] == UserDataNode{UserDataNodeType::Image, 0, 0, 0, 8, 8});
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::CombinedImageSampler, 0, 1, 12, 12, 12});
  CHECK(nodes[3] == UserDataNode{UserDataNodeType::TexelBuffer, 0, 2, 24, 4, 4});
  CHECK(nodes[4] == UserDataNode{UserDataNodeType::Buffer, 0, 7, 84, 4, 4});
  auto fewer = layOut({shaderWith({bound(0, 7, DescriptorKind::StorageBuffer, 1)})});
  REQUIRE(fewer.size() == 2);
  CHECK(fewer[1] == nodes[4]);
}

TEST_CASE("an array lies in its slot and those behind it, or behind all if these are in use") {
  auto nodes =
      layOut({shaderWith({bound(0, 0, DescriptorKind::StorageBuffer, 6), bound(0, 2, DescriptorKind::StorageBuffer, 4),
                          bound(0, 3, DescriptorKind::CombinedImageSampler, 3)})});
  REQUIRE(nodes.size() == 4);
  CHECK(nodes[1] == UserDataNode{UserDataNodeType::Buffer, 0, 0, 0, 24, 4});
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::Buffer, 0, 2, 72, 16, 4});
  CHECK(nodes[3] == UserDataNode{UserDataNodeType::CombinedImageSampler, 0, 3, 36, 36, 12});
}

TEST_CASE("a binding whose slot scalar loads do not reach lies behind the others") {
  constexpr uint32_t last = (1 << 20) / 48 - 1;
  auto nodes = layOut(
      {shaderWith({bound(0, 1, DescriptorKind::Sampler, 1), bound(0, last, DescriptorKind::Sampler, 1),
                   bound(0, last + 1, DescriptorKind::Sampler, 1), bound(0, UINT32_MAX, DescriptorKind::Sampler, 1)})});
  REQUIRE(nodes.size() == 5);
  CHECK(nodes[1].offsetInDwords == 12);
  CHECK(nodes[2].offsetInDwords == last * 12);
  CHECK(nodes[3].offsetInDwords == last * 12 + 4);
  CHECK(nodes[4].offsetInDwords == last * 12 + 8);
}

TEST_CASE("a runtime array comes last in its set and has 16 elements") {
  auto nodes =
      layOut({shaderWith({bound(0, 0, DescriptorKind::SampledImage, 0), bound(0, 1, DescriptorKind::Sampler, 1)})});
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[1] == UserDataNode{UserDataNodeType::Image, 0, 0, 16, 16 * 8, 8});
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::Sampler, 0, 1, 12, 4, 4});
}

TEST_CASE("the FMASK of multisampled images lies behind all slots; storage images have none") {
  spirv::DescriptorBinding image = bound(0, 0, DescriptorKind::SampledImage, 1);
  spirv::DescriptorBinding combined = bound(0, 1, DescriptorKind::CombinedImageSampler, 1);
  spirv::DescriptorBinding storage = bound(0, 2, DescriptorKind::StorageImage, 1);
  spirv::DescriptorBinding input = bound(0, 3, DescriptorKind::InputAttachment, 3);
  for (spirv::DescriptorBinding *each : {&image, &combined, &storage, &input})
    each->image.isMultisampled = true;
  auto nodes = layOut({shaderWith({image, combined, storage, input})});
  REQUIRE(nodes.size() == 8);
  CHECK(nodes[1] == UserDataNode{UserDataNodeType::Image, 0, 0, 0, 8, 8});
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::Fmask, 0, 0, 60, 8, 8});
  CHECK(nodes[3] == UserDataNode{UserDataNodeType::CombinedImageSampler, 0, 1, 12, 12, 12});
  CHECK(nodes[4] == UserDataNode{UserDataNodeType::Fmask, 0, 1, 68, 8, 8});
  CHECK(nodes[5] == UserDataNode{UserDataNodeType::Image, 0, 2, 24, 8, 8});
  CHECK(nodes[6] == UserDataNode{UserDataNodeType::Image, 0, 3, 36, 24, 8});
  CHECK(nodes[7] == UserDataNode{UserDataNodeType::Fmask, 0, 3, 76, 24, 8});
}

TEST_CASE("uniform and storage buffers may all be dynamic: their offsets come before the push constants") {
  const auto shader =
      shaderWith({bound(0, 0, DescriptorKind::UniformBuffer, 1), bound(0, 1, DescriptorKind::StorageBuffer, 3),
                  bound(1, 4, DescriptorKind::UniformBuffer, 1), bound(1, 5, DescriptorKind::Sampler, 1)},
                 8);
  auto uniform = layOut({shader}, {.uniformBuffersAreDynamic = true});
  REQUIRE(uniform.size() == 9);
  CHECK(uniform[2] == UserDataNode{UserDataNodeType::DynamicOffset, 0, 0, 2, 1, 1});
  CHECK(uniform[3] == UserDataNode{UserDataNodeType::DynamicOffset, 1, 4, 3, 1, 1});
  CHECK(uniform[4] == UserDataNode{UserDataNodeType::PushConstants, 0, 0, 4, 2});
  auto storage = layOut({shader}, {.storageBuffersAreDynamic = true});
  REQUIRE(storage.size() == 8);
  CHECK(storage[2] == UserDataNode{UserDataNodeType::DynamicOffset, 0, 1, 2, 3, 1});
  CHECK(storage[3] == UserDataNode{UserDataNodeType::PushConstants, 0, 0, 5, 2});
}

TEST_CASE("shaders that share a binding share its place") {
  auto nodes = layOut({shaderWith({bound(0, 0, DescriptorKind::UniformBuffer, 1)}),
                       shaderWith({bound(0, 0, DescriptorKind::UniformBuffer, 2)}, 8)});
  REQUIRE(nodes.size() == 3);
  CHECK(nodes[2] == UserDataNode{UserDataNodeType::Buffer, 0, 0, 0, 8, 4});
}

TEST_CASE("an image and a sampler of one binding are a combined descriptor") {
  auto nodes = layOut({shaderWith({bound(0, 0, DescriptorKind::SampledImage, 1)}),
                       shaderWith({bound(0, 0, DescriptorKind::Sampler, 1)})});
  REQUIRE(nodes.size() == 2);
  CHECK(nodes[1] == UserDataNode{UserDataNodeType::CombinedImageSampler, 0, 0, 0, 12, 12});
}

TEST_CASE("one binding as two kinds of descriptor is refused by name") {
  spirv::Reflection buffer = shaderWith({bound(2, 5, DescriptorKind::UniformBuffer, 1)});
  for (DescriptorKind kind : {DescriptorKind::SampledImage, DescriptorKind::StorageBuffer}) {
    spirv::Reflection other = shaderWith({bound(2, 5, kind, 1)});
    Result<UserDataNodes> nodes = layOutUserData(std::vector<const spirv::Reflection *>{&buffer, &other});
    REQUIRE_FALSE(nodes.has_value());
    CHECK((nodes.error().code == ErrorCode::StateMismatch));
    CHECK(nodes.error().text.find("set 2 binding 5 is used as uniform buffer") != std::string::npos);
  }
}

TEST_CASE("only a multisampled image without FMASK changes what a shader is compiled to") {
  spirv::Reflection shader =
      shaderWith({bound(0, 0, DescriptorKind::UniformBuffer, 1), bound(0, 1, DescriptorKind::SampledImage, 1),
                  bound(1, 2, DescriptorKind::SampledImage, 1)});
  shader.descriptors[2].image.isMultisampled = true;
  UserDataNodes nodes = layOut({shader});
  CHECK(resourceFormsOf(shader, nodes).empty());
  for (UserDataNode &node : nodes)
    node.offsetInDwords += 100;
  CHECK(resourceFormsOf(shader, nodes).empty());
  std::erase_if(nodes, [](const UserDataNode &node) { return node.type == UserDataNodeType::Fmask; });
  CHECK(resourceFormsOf(shader, nodes) == ResourceForms{{1, 2, ResourceFormKind::NoFmask}});
}
