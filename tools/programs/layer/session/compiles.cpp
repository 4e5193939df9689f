// SPDX-License-Identifier: MIT
#include "tools/programs/layer/session/compiles.h"
#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace dovetail::layer {

namespace {

constexpr size_t MaxLatest = 16384;

constexpr std::string_view PartNames[] = {
    "vertex prolog",   "vertex shader",   "control shader", "control epilog",  "evaluation shader",
    "geometry prolog", "geometry shader", "geometry copy",  "fragment prolog", "fragment shader",
    "fragment epilog", "compute shader",  "glue",           "whole program",   "null fragment shader"};

} // namespace

std::string_view nameOfPart(uint32_t kind) {
  return kind < std::size(PartNames) ? PartNames[kind] : "part";
}

bool isOf(const Compile &compile, const PipelineFacts &pipeline) {
  std::istringstream names(pipeline.shaders);
  for (std::string name; names >> name;)
    if (compile.shaders.find(name) != std::string::npos)
      return true;
  return false;
}

void Compiles::note(const dovetail_compile_event &event, uint64_t now) {
  Compile compile;
  compile.part = {event.key[0], event.key[1]};
  compile.kind = event.kind;
  compile.tier = event.tier;
  compile.purpose = event.purpose;
  compile.shaders = event.shaders;
  compile.refusal = event.first_code_refusal;
  compile.nanoseconds = static_cast<uint64_t>(event.microseconds * 1e3);
  compile.start = now - std::min(now, compile.nanoseconds);
  std::scoped_lock lock(m_mutex);
  if (event.purpose < m_sums.size())
    m_sums[event.purpose].add(compile);
  if (m_latest.size() == MaxLatest)
    m_latest.pop_front();
  m_latest.push_back({std::move(compile)});
}

std::vector<Compile> Compiles::take(uint64_t start, const PipelineFacts &pipeline) {
  std::vector<Compile> taken;
  std::scoped_lock lock(m_mutex);
  for (auto at = m_latest.rbegin(); at != m_latest.rend() && at->compile.end() >= start; ++at) {
    const Compile &compile = at->compile;
    if (at->isTaken || compile.purpose != DOVETAIL_COMPILE_FOR_CALLER ||
        (compile.thread != std::this_thread::get_id() && !isOf(compile, pipeline)))
      continue;
    at->isTaken = true;
    taken.push_back(compile);
  }
  std::ranges::sort(taken, {}, &Compile::start);
  return taken;
}

std::vector<Compile> Compiles::latest() const {
  std::vector<Compile> all;
  std::scoped_lock lock(m_mutex);
  for (const Noted &noted : m_latest)
    all.push_back(noted.compile);
  return all;
}

std::array<CompileSum, CompilePurposeCount> Compiles::sums() const {
  std::scoped_lock lock(m_mutex);
  return m_sums;
}

} // namespace dovetail::layer
