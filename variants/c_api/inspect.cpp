// SPDX-License-Identifier: MIT
//
// Answers tools about a variant's code: its cost, the instruction at an offset, and its source lines.
#include "merge/elf/pal_elf.h"
#include "variants/c_api/convert/arguments.h"
#include "variants/c_api/convert/handles.h"
#include "variants/c_api/convert/sized_struct.h"
#include "variants/inspect/code_cost.h"
#include "variants/inspect/code_place.h"
#include <algorithm>

using namespace dovetail;
using namespace dovetail::c_api;

namespace {

Outcome<void> writeCost(const std::vector<CodeCost> &costs, uint32_t index, const char *what,
                        dovetail_code_cost *cost) {
  DOVETAIL_C_CHECK(checkIndex(index, costs.size(), "variant", what));
  const CodeCost &read = costs[index];
  dovetail_code_cost answer = {};
  answer.instruction_count = read.instructions;
  answer.cycles = read.cycles;
  answer.vector_count = read.vector;
  answer.interpolate_count = read.interpolate;
  answer.scalar_count = read.scalar;
  answer.scalar_load_count = read.scalarLoads;
  answer.vector_memory_count = read.vectorMemory;
  answer.lds_count = read.lds;
  answer.export_count = read.exports;
  return writeSized(answer, cost, "cost");
}

// The end of the part in which the row begins.
uint32_t endOfPart(const Image &image, uint32_t offset) {
  for (const ImagePart &part : image.parts)
    if (offset >= part.offset && offset - part.offset < part.size)
      return part.offset + part.size;
  return offset;
}

} // namespace

dovetail_status dovetail_variant_get_stage_cost(const dovetail_variant *variant, uint32_t index,
                                                dovetail_code_cost *cost, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    return writeCost(DOVETAIL_C_TRY(costsOfPrograms(*fromHandle(variant)->image)), index, "stages", cost);
  });
}

dovetail_status dovetail_variant_get_part_cost(const dovetail_variant *variant, uint32_t index,
                                               dovetail_code_cost *cost, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    return writeCost(DOVETAIL_C_TRY(costsOfParts(*fromHandle(variant)->image)), index, "parts", cost);
  });
}

dovetail_status dovetail_variant_find_place(const dovetail_variant *variant, uint32_t offset,
                                            dovetail_code_place *place, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    const Image &image = *fromHandle(variant)->image;
    const CodePlace found = DOVETAIL_C_TRY(findPlace(image, offset));
    dovetail_code_place answer = {};
    answer.stage = found.stage;
    answer.part = found.part.value_or(DOVETAIL_NO_PART);
    answer.offset_in_part = found.part ? found.instruction - image.parts[*found.part].offset : 0;
    answer.instruction_offset = found.instruction;
    answer.instruction_size = found.size;
    std::copy_n(found.text.begin(), std::min(found.text.size(), sizeof(answer.text) - 1), answer.text);
    return writeSized(answer, place, "place");
  });
}

dovetail_status dovetail_source_lines_create(const dovetail_program *program, const dovetail_state *state,
                                             const dovetail_variant *variant, dovetail_source_lines **lines,
                                             dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(lines, "lines"));
    *lines = nullptr;
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    DOVETAIL_C_CHECK(checkNotNull(variant, "variant"));
    dovetail_device &owner = program->owner.get();
    const Variant &read = *fromHandle(variant);
    const Image &image = *read.image;
    if (image.gpuName != owner.device->target().gpuName)
      return badArgument("variant is for {}, and the device of program for {}", image.gpuName,
                         owner.device->target().gpuName);
    const StateRef &stateRef = state ? state->state : program->defaultState;
    std::vector<CodeLine> found =
        DOVETAIL_C_TRY(owner.device->findSourceLines(program->program->set, stateRef->fields, read));
    std::vector<dovetail_source_line> rows;
    std::vector<uint32_t> partEnds;
    for (const CodeLine &line : found) {
      rows.push_back({line.offset, line.line, line.file.c_str()});
      partEnds.push_back(endOfPart(image, line.offset));
    }
    // The texts stay where they are: a vector that is moved keeps its elements.
    *lines = makeHandle<dovetail_source_lines>(owner, read.shared_from_this(), std::move(found), std::move(rows),
                                               std::move(partEnds));
    return {};
  });
}

const dovetail_source_line *dovetail_source_lines_get(const dovetail_source_lines *lines, size_t *count) {
  if (count)
    *count = lines ? lines->rows.size() : 0;
  return lines && !lines->rows.empty() ? lines->rows.data() : nullptr;
}

dovetail_status dovetail_source_lines_find(const dovetail_source_lines *lines, uint32_t offset,
                                           dovetail_source_line *line, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(lines, "lines"));
    DOVETAIL_C_CHECK(checkNotNull(line, "line"));
    const auto behind = std::ranges::upper_bound(lines->rows, offset, {}, &dovetail_source_line::offset);
    const size_t row = size_t(behind - lines->rows.begin());
    if (row > 0 && offset < lines->partEnds[row - 1])
      *line = lines->rows[row - 1];
    else
      *line = {offset, 0, ""};
    return {};
  });
}

dovetail_status dovetail_source_lines_write_elf(const dovetail_source_lines *lines, void *buffer, size_t *size,
                                                dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(lines, "lines"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::vector<uint8_t> file = DOVETAIL_C_TRY(writePalElf(*lines->variant->image, lines->lines));
    return handOutBytes(file, buffer, size);
  });
}

void dovetail_source_lines_destroy(dovetail_source_lines *lines) {
  destroyHandle(lines);
}

dovetail_status dovetail_program_print_ir(const dovetail_program *program, const dovetail_state *state, char *buffer,
                                          size_t *size, dovetail_message *message) {
  return guarded(message, [&]() -> Outcome<void> {
    DOVETAIL_C_CHECK(checkNotNull(program, "program"));
    DOVETAIL_C_CHECK(checkNotNull(size, "size"));
    const std::string text = DOVETAIL_C_TRY(program->owner.get().device->printIr(
        program->program->set, (state ? state->state : program->defaultState)->fields));
    // The text with its final 0.
    return handOut(std::span<const char>(text.c_str(), text.size() + 1), buffer, size, "bytes");
  });
}
