// SPDX-License-Identifier: MIT
//
// `part-dump export --json` writes everything that list and show print, for programs.
#include "parts/kinds/part_description.h"
#include "tools/common/command/options.h"
#include "tools/common/command/write_file.h"
#include "tools/programs/part-dump/commands.h"
#include "tools/programs/part-dump/key_text.h"
#include "tools/programs/part-dump/open_store.h"
#include "tools/programs/part-dump/part_text.h"
#include "tools/programs/part-dump/terminal.h"
#include <nlohmann/json.hpp>

namespace dovetail::part_dump {

namespace {

using Json = nlohmann::ordered_json;

struct ExportOptions {
  std::string store, output;
  bool json = false;
};

std::string toHex(const std::vector<uint8_t> &bytes) {
  std::string text;
  for (uint8_t byte : bytes)
    fmt::format_to(std::back_inserter(text), "{:02x}", byte);
  return text;
}

Json toJson(const std::vector<Binding> &bindings) {
  Json json = Json::array();
  for (const Binding &binding : bindings)
    json.push_back({{"register", toString(binding.reg)}, {"value", toString(binding.value)}});
  return json;
}

Json toJson(const std::vector<Fact> &facts) {
  Json json = Json::object();
  for (const Fact &fact : facts)
    json[fact.name] = fact.text;
  return json;
}

Json toJson(const Usage &usage) {
  return {{"sgprs", usage.sgprs},
          {"numberedSgprs", usage.numberedSgprs},
          {"specialSgprs", usage.specialSgprs},
          {"vgprs", usage.vgprs},
          {"scratchBytes", usage.scratchBytes},
          {"ldsBytes", usage.ldsBytes},
          {"floatMode", usage.floatMode},
          {"runsInAnyFloatMode", usage.runsInAnyFloatMode},
          {"ieeeMode", usage.ieeeMode},
          {"dx10Clamp", usage.dx10Clamp},
          {"waveSize", usage.waveSize},
          {"psInputEna", usage.psInputEna},
          {"psInputAddr", usage.psInputAddr},
          {"spilledSgprs", usage.spilledSgprs},
          {"spilledVgprs", usage.spilledVgprs}};
}

template <typename List, typename InWords> Json wordsOf(const List &list, const InWords &inWords) {
  Json json = Json::array();
  for (const auto &item : list)
    json.push_back(inWords(item));
  return json;
}

Json toJson(const StoredPart &stored) {
  const Part &part = *stored.part;
  Json json = {
      {"kind", toSymbol(part.key.kind)},
      {"key", part.key.hash.toHex()},
      {"gpu", stored.entry.gpuName},
      {"madeFor", partDescription(part)},
      {"keyFields", keyItems(part)},
      {"bytes", stored.entry.bytes},
      {"hits", stored.entry.hits},
      {"variants", stored.entry.variants},
      {"created", stored.entry.created},
      {"lastUsed", stored.entry.lastUsed},
      {"buildMicroseconds", part.buildMicroseconds},
      {"contract",
       {{"takes", toJson(part.contract.inputs)},
        {"gives", toJson(part.contract.outputs)},
        {"preservedSgprs", part.contract.preservedSgprs},
        {"preservedVgprs", part.contract.preservedVgprs},
        {"endsProgram", part.contract.endsProgram}}},
      {"usage", toJson(part.usage)},
      {"hazards",
       {{"pendingAtEnd", wordsOf(part.hazards.pendingAtEnd, pendingInWords)},
        {"sensitiveAtStart", wordsOf(part.hazards.sensitiveAtStart, sensitiveInWords)},
        {"waitStates", part.hazards.length}}},
      {"relocations", wordsOf(part.relocations, relocationInWords)},
  };
  if (part.interface)
    json["shader"] = toJson(interfaceFacts(*part.interface));
  if (part.firstInterface)
    json["firstShader"] = toJson(interfaceFacts(*part.firstInterface));
  if (part.entry)
    json["launchedWith"] = {{"inputs", toJson(part.entry->inputs)}, {"userSgprs", part.entry->userSgprCount}};
  if (part.fragmentExports)
    json["exports"] = toJson(exportFacts(*part.fragmentExports));
  json["instructions"] = part.instructionCount;
  json["code"] = toHex(part.code);
  if (!part.constants.empty()) {
    json["constants"] = toHex(part.constants);
    json["constantsAlignment"] = part.constantsAlignment;
  }
  // If this LLVM cannot disassemble the code, the JSON still has its bytes.
  if (Result<std::vector<std::string>> lines = codeLines(part, stored.entry.gpuName, CodeStyle::Offsets))
    json["disassembly"] = *lines;
  return json;
}

Result<int> exportStore(const ExportOptions &options) {
  std::shared_ptr<PartStore> store = DOVETAIL_TRY(openStore(options.store));
  Json parts = Json::array();
  for (const StoredPart &stored : DOVETAIL_TRY(readParts(*store)))
    parts.push_back(toJson(stored));
  const Json document = {{"store", options.store}, {"parts", parts}};
  // Names from shaders may be any bytes.
  const std::string text = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  if (options.output.empty() || isStandardOutput(options.output))
    print(text);
  else
    DOVETAIL_CHECK(writeFileAtomically(options.output, text));
  return 0;
}

} // namespace

void addExportCommand(CLI::App &app, Command &chosen) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App *command = app.add_subcommand("export", "Everything in the store for programs");
  command->add_option("STORE", options->store, "the folder of the store")->required();
  command->add_flag("--json", options->json, "as JSON, the one format that there is")->required();
  command->add_option("-o,--output", options->output, "write to this file, not to the standard output")
      ->check(notEmpty());
  command->callback([options, &chosen] { chosen = [options] { return exportStore(*options); }; });
}

} // namespace dovetail::part_dump
