// SPDX-License-Identifier: MIT
//
// Users know a GPU by many names. getTarget() finds it by any of them.
#pragma once

#include "src/abi/target_info.h"
#include "src/base/error.h"
#include <vector>

namespace dovetail {

// Finds a GPU by LLVM's name ("gfx803"), a chip's ("polaris10", "Polaris 10"), a product's ("Radeon RX 580 Series") or
// those of several products that a chip may be ("RX 470/570"), in upper or lower case. Errors: UnknownGpu, with the
// names that are known, or with the GPUs that have this name.
Result<const TargetInfo *> getTarget(std::string_view name);

// Finds a GPU by its PCI device id (AMD, vendor 1002). externalRevision: the revision that the kernel reports with the
// id (drm_amdgpu_info_device::external_rev), or 0. Only ids of Raven need it: Raven2 has the same ids. Errors:
// UnknownGpu.
Result<const TargetInfo *> getPciTarget(uint16_t deviceId, unsigned externalRevision);

// The names of a GPU's chips: "polaris10".
std::vector<std::string_view> chipsOf(const TargetInfo &target);

} // namespace dovetail
