// SPDX-License-Identifier: MIT
#include "tests/lgc/stages/stage_run.h"
#include <cstring>
#include <doctest/doctest.h>

using namespace dovetail;
namespace em = dovetail::emulator;

namespace {

constexpr unsigned TableEntries = 16, DescriptorBytes = 16;
constexpr uint32_t Untouched = 0xdeadbeef;

std::vector<uint8_t> untouched(size_t bytes) {
  std::vector<uint8_t> memory(bytes);
  for (size_t i = 0; i + 4 <= bytes; i += 4)
    std::memcpy(&memory[i], &Untouched, 4);
  return memory;
}

} // namespace

StageRun::StageRun(const lgc::CompiledShader &shader, unsigned laneCount, em::Generation generation)
    : m_shader(shader), m_laneCount(laneCount), m_gpu(generation) {
  m_table = m_gpu.memory().map("global table", std::vector<uint8_t>(TableEntries * DescriptorBytes));
  m_group.lds = untouched(64 * 1024);
}

void StageRun::setBuffer(unsigned entry, size_t bytes) {
  uint64_t address = m_gpu.memory().map("entry " + std::to_string(entry), untouched(bytes));
  m_buffers[entry] = address;
  // A raw V#: base, no stride, size in bytes, selectors xyzw, 32_FLOAT.
  uint32_t words[4] = {uint32_t(address), uint32_t(address >> 32) & 0xffff, uint32_t(bytes), 0x27fac};
  std::memcpy(m_gpu.memory().region(m_table).data() + entry * DescriptorBytes, words, sizeof(words));
}

void StageRun::setBufferFormat(unsigned entry, uint32_t word1, uint32_t word3) {
  uint32_t words[4];
  uint8_t *at = m_gpu.memory().region(m_table).data() + entry * DescriptorBytes;
  std::memcpy(words, at, sizeof(words));
  words[1] = (words[1] & 0xffff) | word1;
  words[3] = word3;
  std::memcpy(at, words, sizeof(words));
}

void StageRun::run() {
  Result<ObjectCode> object = readObject(m_shader.elf, HardwareStage::Vs);
  REQUIRE_MESSAGE(object.has_value(), object.error().text);
  REQUIRE(object->constants.empty());
  for (const Relocation &relocation : object->relocations) {
    REQUIRE((relocation.target == RelocationTarget::Link));
    auto constant = static_cast<LinkConstant>(relocation.addend);
    REQUIRE_MESSAGE(m_links.contains(constant), symbolOf(constant));
    std::memcpy(&object->code[relocation.offset], &m_links[constant], 4);
  }
  // s_endpgm, where the next part would begin.
  constexpr uint32_t endProgram = 0xbf810000;
  object->code.resize(object->code.size() + 4);
  std::memcpy(object->code.data() + object->code.size() - 4, &endProgram, 4);

  m_setup.stage = static_cast<em::WaveStage>(m_shader.interface.hardwareStage);
  m_setup.address = m_gpu.memory().map("code", object->code, 256, false);
  m_setup.exec = m_laneCount == 64 ? ~uint64_t(0) : (uint64_t(1) << m_laneCount) - 1;
  m_setup.sgprCount = 104;
  m_setup.vgprCount = object->usage.vgprs;
  m_setup.floatMode = m_shader.interface.floatMode;
  m_sgprs[{ValueKind::GlobalTable}] = uint32_t(m_table);
  for (const Binding &input : m_shader.interface.inputs) {
    if (input.reg.bank == RegisterBank::Sgpr) {
      m_setup.sgprs.resize(std::max<size_t>(m_setup.sgprs.size(), input.reg.index + 1));
      if (m_sgprs.contains(input.value))
        m_setup.sgprs[input.reg.index] = m_sgprs[input.value];
      continue;
    }
    REQUIRE_MESSAGE(m_vgprs.contains(input.value), toString(input.value));
    em::Lanes lanes = {};
    for (unsigned lane = 0; lane < m_laneCount; ++lane)
      lanes[lane] = m_vgprs[input.value](lane);
    m_setup.vgprs.resize(std::max<size_t>(m_setup.vgprs.size(), input.reg.index + 1));
    m_setup.vgprs[input.reg.index] = lanes;
  }
  m_setup.vgprCount = std::max<unsigned>(m_setup.vgprCount, m_setup.vgprs.size());
  m_waves.emplace_back(m_gpu.generation(), m_gpu.memory(), m_group, m_setup);
  m_wave = &m_waves.back();
  Result<void> result = em::runWaves(m_gpu, m_waves);
  REQUIRE_MESSAGE(result.has_value(), result.error().text);
}

uint32_t StageRun::ldsDword(unsigned byte) const {
  uint32_t value;
  REQUIRE(byte + 4 <= m_group.lds.size());
  std::memcpy(&value, &m_group.lds[byte], 4);
  return value;
}

uint32_t StageRun::bufferDword(unsigned entry, unsigned byte) {
  std::span<uint8_t> memory = m_gpu.memory().region(m_buffers.at(entry));
  REQUIRE(byte + 4 <= memory.size());
  uint32_t value;
  std::memcpy(&value, &memory[byte], 4);
  return value;
}

void StageRun::setBufferDword(unsigned entry, unsigned byte, uint32_t value) {
  std::span<uint8_t> memory = m_gpu.memory().region(m_buffers.at(entry));
  REQUIRE(byte + 4 <= memory.size());
  std::memcpy(&memory[byte], &value, 4);
}

uint32_t StageRun::output(ValueName value, unsigned lane) const {
  for (const Binding &output : m_shader.interface.outputs)
    if (output.value == value)
      return output.reg.bank == RegisterBank::Sgpr ? m_wave->peekSgpr(output.reg.index)
                                                   : m_wave->peekVgpr(output.reg.index)[lane];
  FAIL("not an output: " << toString(value));
  return 0;
}
