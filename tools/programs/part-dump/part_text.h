// SPDX-License-Identifier: MIT
//
// Describes a part in words: `show` prints them, `diff` compares them and `export` writes them.
#pragma once

#include "parts/compile/assembly.h"
#include "parts/part.h"
#include "src/base/error.h"
#include <string>
#include <utility>
#include <vector>

namespace dovetail::part_dump {

// A name and the texts under it.
struct Fact {
  std::string name;
  std::string text;
};

std::vector<Fact> usageFacts(const Usage &usage);
std::vector<Fact>
interfaceFacts(const ShaderInterface &interface); // only facts that apply to the shader (interface_text.cpp)
std::vector<Fact> exportFacts(const FragmentExports &exports);

// "VALU writes an SGPR, then VMEM reads it: s4..5 written 2 wait states before the end, 5 are needed".
std::string pendingInWords(const isa::HazardEdge &edge);
std::string sensitiveInWords(const isa::HazardEdge &edge);
std::string relocationInWords(const Relocation &relocation);
// "s0..5 and v0..3"; empty if nothing is kept.
std::string keptRegisters(const Contract &contract);

enum class CodeStyle : uint8_t {
  Offsets, // each line begins with its offset
  Labels,  // branches name labels, so code that has moved looks the same
};
// Errors: those of the disassembler.
Result<std::vector<std::string>> codeLines(const Part &part, const std::string &gpuName, CodeStyle style);

// A section of a part's description.
struct Section {
  std::string title;
  std::vector<std::string> lines;
  bool isList = false; // short items, which may stand side by side
};
// Describes everything about a part but its name and its code. Leaves out empty sections.
std::vector<Section> describePart(const Part &part);

} // namespace dovetail::part_dump
