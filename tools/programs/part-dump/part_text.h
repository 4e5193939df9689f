// SPDX-License-Identifier: MIT
//
// A part in words: what `show` prints, `diff` compares and `export` writes.
#pragma once

#include "parts/compile/assembly.h"
#include "parts/part.h"
#include "src/base/error.h"
#include <string>
#include <utility>
#include <vector>

namespace dovetail::part_dump {

// A name and what there is to say under it.
struct Fact {
  std::string name;
  std::string text;
};

std::vector<Fact> usageFacts(const Usage &usage);
std::vector<Fact> interfaceFacts(const ShaderInterface &interface); // what applies to the shader (interface_text.cpp)
std::vector<Fact> exportFacts(const FragmentExports &exports);

// "VALU writes an SGPR, then VMEM reads it: s4..5 written 2 wait states before the end, 5 are needed".
std::string pendingInWords(const isa::HazardEdge &edge);
std::string sensitiveInWords(const isa::HazardEdge &edge);
std::string relocationInWords(const Relocation &relocation);
// "s0..5 and v0..3"; empty if nothing is kept.
std::string keptRegisters(const Contract &contract);

enum class CodeStyle : uint8_t {
  Offsets, // each line begins with its offset
  Labels,  // branches name labels, so that code that moved still looks the same
};
// Errors: those of the disassembler.
Result<std::vector<std::string>> codeLines(const Part &part, const std::string &gpuName, CodeStyle style);

// A piece of the description of a part.
struct Section {
  std::string title;
  std::vector<std::string> lines;
  bool isList = false; // short items that may stand side by side
};
// All there is to say about a part but its name and its code; sections with nothing in them are left out.
std::vector<Section> describePart(const Part &part);

} // namespace dovetail::part_dump
