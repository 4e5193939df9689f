// SPDX-License-Identifier: MIT
//
// Reads the programs to measure, with their states.
#pragma once

#include "tools/bench/variant-bench/measure/state_grid.h"
#include <span>
#include <string>

namespace dovetail {

struct BenchProgram {
  std::string name; // short, without white space, and unique
  std::vector<std::string> files;
  ShaderSet set;
  StateGrid grid;
  StateGrid pairs; // vertex inputs x colour states that are bound together for the first time

  // Whether it has only a vertex and a fragment shader.
  bool isPair() const;
};

struct ProgramList {
  std::vector<BenchProgram> programs;
  std::vector<std::string> refused; // a line for each unit that is no program, with the reason
};

// Reads programs of these files and folders, at most `limit` of them (0: all), chosen at random. Adds a missing vertex
// or fragment shader. Errors: those of findCorpusUnits(); InvalidInput if there is no program at all.
Result<ProgramList> readBenchPrograms(const std::vector<std::string> &paths, const GridSize &size, size_t limit = 0);

// Reads the benchmark's own programs: textured, phong, pbr, tess, geom, uint, gbuffer. Errors: as above.
Result<std::vector<BenchProgram>> readOwnPrograms(const GridSize &size);

// The program of this name; nullptr: none.
const BenchProgram *findProgram(std::span<const BenchProgram> programs, std::string_view name);

} // namespace dovetail
