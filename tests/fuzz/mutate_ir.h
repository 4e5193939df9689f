// SPDX-License-Identifier: MIT
//
// Mutations of shaders in LLVM IR, as text and as bitcode. LLVM hardly ever reads text that is changed at random. So
// most changes exchange one word for another of its kind, or concern whole lines.
#pragma once

#include <random>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace dovetail::fuzz {

// One to three changes. The same generator state gives the same mutant. `other`: a text that lines are taken from.
std::string mutateIrText(const std::string &text, const std::string &other, std::mt19937_64 &random);
std::string mutateBitcode(std::string bytes, std::mt19937_64 &random);
void mutateModule(llvm::Module &module, std::mt19937_64 &random);

} // namespace dovetail::fuzz
