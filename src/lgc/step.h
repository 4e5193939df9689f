// SPDX-License-Identifier: MIT
//
// The names of the middle-end's steps (middle_end.def).
#pragma once

#include <functional>
#include <string_view>

namespace llvm {
class Module;
}

namespace lgc {

enum class Step {
#define LGC_STEP(name, passName) name,
#include "src/lgc/middle_end.def"
#undef LGC_STEP
};

// "lgc-replay".
std::string_view passNameOf(Step step);

// Called after each step, when the module's metadata has the state of the compile (compile_state.h). It may change the
// module: a front end lowers its own ops there (BuilderContext::addDialect).
using StepObserver = std::function<void(Step step, llvm::Module &module)>;

} // namespace lgc
