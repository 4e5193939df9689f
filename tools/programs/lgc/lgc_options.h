// SPDX-License-Identifier: MIT
#pragma once

#include "src/base/error.h"
#include "src/lgc/state/shader_modes.h"
#include <optional>
#include <string>
#include <vector>

namespace dovetail::lgc_tool {

// PAL's pipeline ABI: version 2 has registers by number, as LLVM writes them.
constexpr unsigned PalAbiVersion = 2;

enum class FileType { Assembly, Object, Null };

// How pipelines are compiled.
enum class Way {
  Whole,        // pipeline modules as a whole; shaders without a pipeline alone
  Unlinked,     // -unlinked
  FragmentPart, // -part
  OtherPart,    // -other
};

struct Options {
  std::vector<std::string> inputs; // "-": the standard input
  std::string gpu;
  std::string output; // "-": the standard output
  FileType fileType = FileType::Object;
  bool emitLlvm = false;
  bool verifyIr = false;
  Way way = Way::Whole;
  lgc::ShaderStage next = lgc::ShaderStage::Fragment; // -next
  bool exportPrimitiveId = false;                     // -export-primitive-id
  std::string other;                                  // -other: the fragment part's file
  std::optional<lgc::ShaderStage> stage;              // -stage: the wanted shader of the other part
  bool packInOut = true;                              // -pack-in-out
  bool link = false;                                  // -l
  unsigned glue = 0;                                  // -glue: counted from 1; 0: the pipeline
  unsigned extract = 0;                               // the number of a module, from 1; 0: all
  bool runsPasses = false;
  std::string passes;
};

// Parses the command line in LLVM's notation; LLVM's own options work, too. `-help` and `-version` exit.
Result<Options> parseOptions(int argumentCount, char **arguments);

} // namespace dovetail::lgc_tool
