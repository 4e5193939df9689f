// SPDX-License-Identifier: MIT
//
// A main part whose code first code made (src/first). It has the contract and the interface of the part that LLVM
// makes.
#pragma once

#include "parts/kinds/main_part.h"
#include "src/first/form/refusal.h"
#include <variant>

namespace dovetail {

// Makes the part of a shader behind the last step of the middle-end (BuilderContext::finishMiddleEnd), which stays as
// it is, so that LLVM can make its part after a refusal. `key`: its tier is FirstCode. Errors: those of
// isa::summarizeHazards.
Result<std::variant<Part, first::Refusal>> makeFirstPart(const MainPartKey &key, const lgc::HardwareFormShader &shader);

// The same of any shader in hardware form, without a key.
Result<std::variant<Part, first::Refusal>> makeFirstPart(const lgc::HardwareFormShader &shader,
                                                         std::string_view gpuName);

} // namespace dovetail
