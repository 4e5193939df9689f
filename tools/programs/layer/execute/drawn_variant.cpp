// SPDX-License-Identifier: MIT
#include "tools/programs/layer/execute/drawn_variant.h"
#include <algorithm>

namespace dovetail::layer {

namespace {

// Whether a node describes a resource that an application writes into a set.
bool isResource(const UserDataNode &node) {
  switch (node.type) {
  case UserDataNodeType::Image:
  case UserDataNodeType::CombinedImageSampler:
  case UserDataNodeType::ImagePlane1:
  case UserDataNodeType::ImagePlane2:
  case UserDataNodeType::Fmask:
  case UserDataNodeType::Sampler:
  case UserDataNodeType::TexelBuffer:
  case UserDataNodeType::Buffer:
  case UserDataNodeType::CompactBuffer:
  case UserDataNodeType::InlineUniforms:
    return true;
  default:
    return false;
  }
}

} // namespace

DrawnVariants::~DrawnVariants() {
  for (const auto &[variant, drawn] : m_known)
    dovetail_variant_release(variant);
}

Result<std::shared_ptr<const DrawnVariant>> DrawnVariants::get(const Pipeline &pipeline,
                                                               const dovetail_variant *variant, bool &isNew) {
  std::scoped_lock lock(m_mutex);
  const auto found = m_known.find(variant);
  isNew = found == m_known.end();
  if (!isNew)
    return found->second;
  auto drawn = std::make_shared<DrawnVariant>();
  auto image = emulator_library::imageOf(variant);
  if (!image)
    return makeError(ErrorCode::Unsupported, "{}", image.error().text);
  auto layout = emulator_library::layoutOf(pipeline.program);
  if (!layout)
    return makeError(ErrorCode::Unsupported, "{}", layout.error().text);
  drawn->image = std::move(*image);
  for (const StageSource &stage : pipeline.stages)
    drawn->uses.add(stage.module->words);
  UserDataNodes nodes = layout->layout->nodes();
  std::erase_if(nodes, [&](const UserDataNode &node) {
    return isResource(node) && !drawn->uses.bindings.contains({node.set, node.binding});
  });
  drawn->layout.layout = std::make_shared<const ResourceLayout>(std::move(nodes));
  if (dovetail_variant_retain(variant, nullptr) == DOVETAIL_OK)
    m_known[variant] = drawn;
  return drawn;
}

} // namespace dovetail::layer
