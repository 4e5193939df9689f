// SPDX-License-Identifier: MIT
//
// The programs that are measured, read and with their states.
#pragma once

#include "tools/bench/variant-bench/measure/state_grid.h"
#include <span>
#include <string>

namespace dovetail {

struct BenchProgram {
  std::string name; // short, without white space; no other has it
  ShaderSet set;
  StateGrid grid;
  StateGrid pairs; // vertex inputs x colour states to be bound together for the first time

  // A vertex and a fragment shader and no others.
  bool isPair() const;
};

struct ProgramList {
  std::vector<BenchProgram> programs;
  std::vector<std::string> refused; // a line for each that is none, with the reason
};

// The programs of these files and folders, at most `limit` of them (0: all), chosen at random. Whatever lacks a vertex
// or a fragment shader gets one. Errors: those of findCorpusUnits(); InvalidInput if there is no program at all.
Result<ProgramList> readBenchPrograms(const std::vector<std::string> &paths, const GridSize &size, size_t limit = 0);

// Those of the benchmark itself: textured, phong, pbr, tess, geom, uint, gbuffer. Errors: as above.
Result<std::vector<BenchProgram>> readOwnPrograms(const GridSize &size);

// Of the programs, the one that is called so; nullptr: there is none.
const BenchProgram *findProgram(std::span<const BenchProgram> programs, std::string_view name);

} // namespace dovetail
