// SPDX-License-Identifier: MIT
//
// DrawnVariant: the code of a variant as the emulator's driver takes it, with the resources that its shaders use.
#pragma once

#include "src/base/error.h"
#include "tools/programs/layer/execute/shader_uses.h"
#include "tools/programs/layer/session/objects.h"
#include "tools/proof/emulator/c_api/variant_image.h"

namespace dovetail::layer {

struct DrawnVariant {
  emulator_library::VariantImage image;
  ShaderSet layout; // without the resources that the shaders do not use
  ShaderUses uses;
};

// Thread-safe. Keeps every variant that it was asked for.
class DrawnVariants {
public:
  DrawnVariants() = default;
  ~DrawnVariants();
  DrawnVariants(const DrawnVariants &) = delete;
  DrawnVariants &operator=(const DrawnVariants &) = delete;

  // `isNew`: nobody asked for it before. Errors: those of the C API.
  Result<std::shared_ptr<const DrawnVariant>> get(const Pipeline &pipeline, const dovetail_variant *variant,
                                                  bool &isNew);

private:
  std::mutex m_mutex;
  std::map<const dovetail_variant *, std::shared_ptr<const DrawnVariant>> m_known; // retained
};

} // namespace dovetail::layer
