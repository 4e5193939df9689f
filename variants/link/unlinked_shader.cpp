// SPDX-License-Identifier: MIT
#include "variants/link/unlinked_shader.h"
#include "parts/check_part.h"
#include "parts/elf/part_elf.h"
#include "src/base/field_bytes.h"

namespace dovetail {

Result<std::vector<uint8_t>> compileUnlinkedShader(PartMaker &maker, const ShaderRef &shader,
                                                   const UnlinkedOptions &options) {
  ShaderSet alone;
  const lgc::ShaderStage stage = shader->description.stage;
  alone.shaders[size_t(stage)] = shader;
  alone.layout = options.layout;
  ShaderSource source = sourceInFrontOf(alone, stage, options.next, maker.gpuName());
  if (!options.layout || options.layout->nodes().empty())
    source.key.resourceForms.clear(); // without a layout, nothing is known of forms, and a missing FMASK is a form
  // A geometry shader writes the number itself.
  source.key.exportPrimitiveId = options.exportPrimitiveId && source.key.hardwareStage == HardwareStage::Vs;
  MadePart main = DOVETAIL_TRY(maker.getMainPart(source));
  return writeShaderElf(*main.part, factsOf(*shader), maker.target());
}

Result<std::vector<uint8_t>> writeShaderElf(const Part &part, const ShaderFacts &facts, const TargetInfo &target) {
  ElfFile file = partElf(part, target);
  FieldWriter writer;
  const std::span<const std::byte> bytes = writer.add(facts).bytes();
  const auto *first = reinterpret_cast<const uint8_t *>(bytes.data());
  file.notes.push_back({std::string(DovetailVendor), ShaderFactsNote, {first, first + bytes.size()}});
  return writeElf(file);
}

Result<UnlinkedShader> readShaderElf(std::span<const uint8_t> elf, const TargetInfo &target) {
  const ElfFile file = DOVETAIL_TRY(readElf(elf));
  if (file.machine != target.elfMachine)
    return makeError(ErrorCode::InvalidInput, "the ELF file is for another GPU than {}", target.gpuName);
  Part part = DOVETAIL_TRY(partOf(file));
  const ElfNote *note = file.findNote(DovetailVendor, ShaderFactsNote);
  if (!note || !part.interface)
    return makeError(ErrorCode::InvalidInput, "the ELF file has a {}, not an unlinked shader", toString(part.key.kind));
  UnlinkedShader shader;
  FieldReader reader(note->bytes);
  reader.read(shader.facts);
  auto isGood = [](const Boxed<ShaderInterface> &interface) { return !interface || isGoodInterface(*interface); };
  if (!reader.isGood() || !reader.isAtEnd() || !isGood(shader.facts.plain) || !isGood(shader.facts.main))
    return makeError(ErrorCode::InvalidInput, "the note of the unlinked shader is damaged");
  shader.part = std::make_shared<const Part>(std::move(part));
  return shader;
}

} // namespace dovetail
