// SPDX-License-Identifier: MIT
//
// StageRun runs the code of one stage, as LLVM makes it, on one wave of the emulated GPU. The test sets the launch
// registers by name, fills in link constants, and looks at LDS, memory and registers afterwards.
#pragma once

#include "parts/elf/object_reader.h"
#include "src/abi/interface/link_constant.h"
#include "src/lgc/pipeline.h"
#include "tools/proof/emulator/run/run.h"
#include <map>

class StageRun {
public:
  // The first `laneCount` lanes run.
  StageRun(const lgc::CompiledShader &shader, unsigned laneCount,
           dovetail::emulator::Generation generation = dovetail::emulator::Generation::Gfx9);

  void setLink(dovetail::LinkConstant constant, uint32_t value) { m_links[constant] = value; }
  // A system SGPR or a pointer.
  void setSgpr(dovetail::ValueKind kind, uint32_t value) { m_sgprs[{kind, 0, 0}] = value; }
  void setSgpr(dovetail::ValueName name, uint32_t value) { m_sgprs[name] = value; }
  void setVgpr(dovetail::ValueName value, const std::function<uint32_t(unsigned lane)> &of) { m_vgprs[value] = of; }
  // Memory behind entry `entry` of the global table.
  void setBuffer(unsigned entry, size_t bytes);
  // Words 1 and 3 of that entry, word 1 without the address.
  void setBufferFormat(unsigned entry, uint32_t word1, uint32_t word3);
  // The low half of an entry's address: a table that begins there.
  uint32_t tableAddress(unsigned entry) const { return static_cast<uint32_t>(m_table) + entry * 16; }
  dovetail::emulator::WaveSetup &setup() { return m_setup; }

  // Runs to s_endpgm, or to the end of the code if another part follows. Checks that nothing traps.
  void run();

  std::vector<uint8_t> &lds() { return m_group.lds; }
  uint32_t ldsDword(unsigned byte) const;
  uint32_t bufferDword(unsigned entry, unsigned byte);
  void setBufferDword(unsigned entry, unsigned byte, uint32_t value);
  // A value that the code hands on, at its place in the interface.
  uint32_t output(dovetail::ValueName value, unsigned lane) const;
  const dovetail::emulator::Wave &wave() const { return *m_wave; }

private:
  void place();

  const lgc::CompiledShader &m_shader;
  unsigned m_laneCount;
  dovetail::emulator::Gpu m_gpu;
  dovetail::emulator::Workgroup m_group;
  dovetail::emulator::WaveSetup m_setup;
  std::map<dovetail::LinkConstant, uint32_t> m_links;
  std::map<dovetail::ValueName, uint32_t> m_sgprs;
  std::map<dovetail::ValueName, std::function<uint32_t(unsigned)>> m_vgprs;
  uint64_t m_table = 0;
  std::map<unsigned, uint64_t> m_buffers;
  std::vector<dovetail::emulator::Wave> m_waves;
  dovetail::emulator::Wave *m_wave = nullptr;
};
