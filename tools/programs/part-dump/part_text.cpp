// SPDX-License-Identifier: MIT
#include "tools/programs/part-dump/part_text.h"
#include "src/abi/interface/link_constant.h"
#include "src/mc/disassembler.h"
#include "tools/programs/part-dump/key_text.h"
#include "tools/programs/part-dump/terminal.h"
#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace dovetail::part_dump {

namespace {

std::string registersOf(const isa::HazardEdge &edge) {
  if (edge.count == 0) // a special register; the hazard's name says which
    return "";
  const char *bank = edge.bank == RegisterBank::Sgpr ? "s" : "v";
  if (edge.bank == RegisterBank::Sgpr && edge.first >= isa::VccAsSgpr)
    return edge.first == isa::M0AsSgpr ? "m0 " : edge.first < isa::VccAsSgpr + 2 ? "vcc " : "";
  return edge.count == 1 ? fmt::format("{}{} ", bank, edge.first)
                         : fmt::format("{}{}..{} ", bank, edge.first, edge.first + edge.count - 1);
}

std::string targetOf(const Relocation &relocation) {
  switch (relocation.target) {
  case RelocationTarget::Code:
    return fmt::format("code + {:#x}", relocation.addend);
  case RelocationTarget::Constants:
    return fmt::format("constants + {:#x}", relocation.addend);
  case RelocationTarget::Link:
    return relocation.addend >= 0 && relocation.addend < int64_t(LinkConstantCount)
               ? std::string(symbolOf(static_cast<LinkConstant>(relocation.addend)))
               : fmt::format("link constant {}", relocation.addend);
  case RelocationTarget::SecondHalf:
    return "the second half";
  }
  return "?";
}

std::vector<std::string> lines(const std::vector<Fact> &facts) {
  std::vector<std::string> lines;
  for (const Fact &fact : facts)
    lines.push_back(fact.name + " " + fact.text);
  return lines;
}

std::vector<std::string> bindings(const std::vector<Binding> &bindings) {
  std::vector<std::string> lines;
  for (const Binding &binding : bindings)
    lines.push_back(printBinding(binding));
  return lines;
}

// Sixteen bytes a line.
std::vector<std::string> hexLines(const std::vector<uint8_t> &bytes) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < bytes.size(); at += 16) {
    std::string line = fmt::format("{:06x} ", at);
    for (size_t index = at; index < std::min(at + 16, bytes.size()); ++index)
      line += fmt::format("{}{:02x}", index % 4 == 0 ? " " : "", bytes[index]);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string rounding(unsigned mode) {
  static constexpr const char *Names[] = {"nearest", "up", "down", "zero"};
  return Names[mode & 3];
}

} // namespace

std::vector<Fact> usageFacts(const Usage &usage) {
  std::vector<Fact> facts = {
      {"SGPRs", fmt::format("{} ({} by number, {} special)", usage.sgprs, usage.numberedSgprs, usage.specialSgprs)},
      {"VGPRs", std::to_string(usage.vgprs)},
      {"scratch", fmt::format("{} bytes per lane", usage.scratchBytes)},
      {"LDS", count(usage.ldsBytes, "byte")},
      {"wave size", std::to_string(usage.waveSize)},
  };
  if (usage.spilledSgprs || usage.spilledVgprs)
    facts.push_back({"spills", fmt::format("{} SGPRs, {} VGPRs", usage.spilledSgprs, usage.spilledVgprs)});
  if (usage.runsInAnyFloatMode) {
    facts.push_back({"float mode", "any"});
  } else {
    auto denormals = [](unsigned mode) { return mode == 3 ? "kept" : mode == 0 ? "flushed" : "partly flushed"; };
    facts.push_back(
        {"float mode", fmt::format("{:#04x}: 32 bits round to {}, denormals {}; 16 and 64 bits round to {}, "
                                   "denormals {}",
                                   usage.floatMode, rounding(usage.floatMode), denormals(usage.floatMode >> 4 & 3),
                                   rounding(usage.floatMode >> 2), denormals(usage.floatMode >> 6))});
  }
  if (usage.ieeeMode)
    facts.push_back({"IEEE mode", "on"});
  if (!usage.dx10Clamp)
    facts.push_back({"DX10 clamp", "off"});
  if (usage.psInputEna != 0 || usage.psInputAddr != 0)
    facts.push_back(
        {"PS inputs", fmt::format("loaded {:#06x}, laid out {:#06x}", usage.psInputEna, usage.psInputAddr)});
  return facts;
}

std::vector<Fact> exportFacts(const FragmentExports &exports) {
  std::vector<Fact> facts = {
      {"SPI_SHADER_COL_FORMAT", fmt::format("{:#010x}", exports.colFormat)},
      {"CB_SHADER_MASK", fmt::format("{:#010x}", exports.cbShaderMask)},
      {"SPI_SHADER_Z_FORMAT", fmt::format("{:#x}", exports.zFormat)},
  };
  std::string flags;
  auto add = [&](bool isSet, const char *name) {
    if (isSet)
      flags += (flags.empty() ? "" : ", ") + std::string(name);
  };
  add(exports.depth, "depth");
  add(exports.stencil, "stencil");
  add(exports.sampleMask, "sample mask");
  add(exports.kills, "alpha test");
  add(exports.alphaToCoverage, "alpha to coverage");
  if (!flags.empty())
    facts.push_back({"also", flags});
  return facts;
}

std::string pendingInWords(const isa::HazardEdge &edge) {
  return fmt::format("{}: {}written {} before the end, {} needed", isa::toString(edge.hazard), registersOf(edge),
                     count(edge.waitStates, "wait state"), isa::requiredWaitStates(edge.hazard));
}

std::string sensitiveInWords(const isa::HazardEdge &edge) {
  return fmt::format("{}: {}used {} after the start, {} needed", isa::toString(edge.hazard), registersOf(edge),
                     count(edge.waitStates, "wait state"), isa::requiredWaitStates(edge.hazard));
}

std::string relocationInWords(const Relocation &relocation) {
  return fmt::format("{:06x} {}: {}", relocation.offset, rowOf(relocation.kind).name, targetOf(relocation));
}

std::string keptRegisters(const Contract &contract) {
  std::string text;
  if (contract.preservedSgprs > 0)
    text = fmt::format("s0..{}", contract.preservedSgprs - 1);
  if (contract.preservedVgprs > 0)
    text += fmt::format("{}v0..{}", text.empty() ? "" : " and ", contract.preservedVgprs - 1);
  return text;
}

Result<std::vector<std::string>> codeLines(const Part &part, const std::string &gpuName, CodeStyle style) {
  mc::Disassembler::Lease disassembler = DOVETAIL_TRY(mc::Disassembler::forGpu(gpuName));
  std::vector<AssemblyLine> code = DOVETAIL_TRY(disassemble(*disassembler, part.code, 0, uint32_t(part.code.size())));

  std::map<uint32_t, std::string> labels;
  if (style == CodeStyle::Labels) {
    for (const AssemblyLine &line : code)
      if (line.branchTarget)
        labels[*line.branchTarget];
    size_t number = 0;
    for (auto &[offset, label] : labels)
      label = offset == part.code.size() ? "end" : fmt::format("L{}", number++);
  }

  std::vector<std::string> lines;
  auto relocation = part.relocations.begin();
  for (const AssemblyLine &line : code) {
    std::string text = line.text;
    if (style == CodeStyle::Labels) {
      if (auto label = labels.find(line.offset); label != labels.end())
        lines.push_back(label->second + ":");
      if (line.branchTarget && text.starts_with("s_setpc"))
        text += "  ; to " + labels[*line.branchTarget];
      else if (line.branchTarget) // "s_cbranch_execz 12" becomes "s_cbranch_execz L2"
        text = text.substr(0, text.rfind(' ') + 1) + labels[*line.branchTarget];
      text = "  " + text;
    } else {
      text = fmt::format("{:06x}  {}", line.offset, text);
      if (line.branchTarget)
        text += fmt::format("  ; to {:06x}", *line.branchTarget);
    }
    while (relocation != part.relocations.end() && relocation->offset < line.offset)
      ++relocation;
    for (; relocation != part.relocations.end() && relocation->offset < line.offset + line.size; ++relocation)
      text += fmt::format("  ; {}: {}", rowOf(relocation->kind).name, targetOf(*relocation));
    lines.push_back(std::move(text));
  }
  return lines;
}

std::vector<Section> describePart(const Part &part) {
  std::vector<Section> sections;
  auto add = [&](std::string title, std::vector<std::string> lines, bool isList = false) {
    if (!lines.empty())
      sections.push_back({std::move(title), std::move(lines), isList});
  };
  add("key", keyItems(part));
  const Contract &contract = part.contract;
  add("takes", contract.inputs.empty() ? std::vector<std::string>{"nothing"} : bindings(contract.inputs), true);
  if (contract.endsProgram)
    add("gives", {"nothing: it ends the program"});
  else
    add("gives", contract.outputs.empty() ? std::vector<std::string>{"nothing"} : bindings(contract.outputs), true);
  if (std::string kept = keptRegisters(contract); !kept.empty())
    add("keeps", {kept});
  add("uses", lines(usageFacts(part.usage)));

  std::vector<std::string> hazards;
  for (const isa::HazardEdge &edge : part.hazards.pendingAtEnd)
    hazards.push_back("pending at the end: " + pendingInWords(edge));
  for (const isa::HazardEdge &edge : part.hazards.sensitiveAtStart)
    hazards.push_back("sensitive at the start: " + sensitiveInWords(edge));
  if (part.hazards.length < isa::MaxWaitStates)
    hazards.push_back(fmt::format("only {} long: hazards reach through it", count(part.hazards.length, "wait state")));
  add("hazards", hazards.empty() ? std::vector<std::string>{"none"} : hazards);

  std::vector<std::string> relocations;
  for (const Relocation &relocation : part.relocations)
    relocations.push_back(relocationInWords(relocation));
  add("relocations", relocations);

  if (part.interface)
    add("shader", lines(interfaceFacts(*part.interface)));
  if (part.firstInterface)
    add("first shader", lines(interfaceFacts(*part.firstInterface)));
  if (part.entry) {
    add("launched with", bindings(part.entry->inputs), true);
    add("launched with user SGPRs", {std::to_string(part.entry->userSgprCount)});
  }
  if (part.fragmentExports)
    add("exports", lines(exportFacts(*part.fragmentExports)));
  if (!part.constants.empty())
    add(fmt::format("constants, aligned to {}", part.constantsAlignment), hexLines(part.constants));
  return sections;
}

} // namespace dovetail::part_dump
