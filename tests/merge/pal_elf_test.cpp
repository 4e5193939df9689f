// SPDX-License-Identifier: MIT
//
// Reads the ELF back with libelf and the metadata with MessagePack's own reader, field by field.
#include "merge/elf/pal_elf.h"
#include "merge/image_metadata.h"
#include "src/abi/registers/registers.h"
#include "tests/merge/parts_by_hand.h"
#include <algorithm>
#include <cstring>
#include <doctest/doctest.h>
#include <gelf.h>
#include <map>
#include <msgpack.hpp>
#include <string>

using namespace dovetail;
using namespace dovetail::test;

namespace {

struct Symbol {
  uint64_t value, size;
  unsigned type, binding;
};

struct ReadElf {
  Elf64_Ehdr header = {};
  std::vector<uint8_t> text;
  std::string noteName;
  uint32_t noteType = 0;
  std::string metadata;
  std::map<std::string, Symbol> symbols;
  std::vector<Elf64_Rela> relocations;
};

ReadElf read(const Image &image) {
  auto bytes = writePalElf(image);
  REQUIRE(bytes);
  elf_version(EV_CURRENT);
  Elf *elf = elf_memory(reinterpret_cast<char *>(bytes->data()), bytes->size());
  REQUIRE(elf);
  ReadElf result;
  result.header = *elf64_getehdr(elf);
  size_t names = 0;
  REQUIRE(elf_getshdrstrndx(elf, &names) == 0);
  for (Elf_Scn *section = nullptr; (section = elf_nextscn(elf, section));) {
    Elf64_Shdr *header = elf64_getshdr(section);
    std::string name = elf_strptr(elf, names, header->sh_name);
    Elf_Data *data = elf_getdata(section, nullptr);
    if (name == ".text")
      result.text.assign(static_cast<uint8_t *>(data->d_buf), static_cast<uint8_t *>(data->d_buf) + data->d_size);
    if (header->sh_type == SHT_NOTE) {
      GElf_Nhdr note;
      size_t nameOffset, descOffset;
      REQUIRE(gelf_getnote(data, 0, &note, &nameOffset, &descOffset) != 0);
      result.noteType = note.n_type;
      result.noteName = static_cast<char *>(data->d_buf) + nameOffset;
      result.metadata.assign(static_cast<char *>(data->d_buf) + descOffset, note.n_descsz);
    }
    if (header->sh_type == SHT_SYMTAB)
      for (size_t i = 1; i < data->d_size / sizeof(Elf64_Sym); ++i) {
        GElf_Sym symbol;
        gelf_getsym(data, int(i), &symbol);
        result.symbols[elf_strptr(elf, header->sh_link, symbol.st_name)] = {symbol.st_value, symbol.st_size,
                                                                            unsigned(GELF_ST_TYPE(symbol.st_info)),
                                                                            unsigned(GELF_ST_BIND(symbol.st_info))};
        // Local symbols come first.
        CHECK((i < header->sh_info) == (GELF_ST_BIND(symbol.st_info) == STB_LOCAL));
      }
    if (header->sh_type == SHT_RELA)
      result.relocations.assign(static_cast<Elf64_Rela *>(data->d_buf),
                                static_cast<Elf64_Rela *>(data->d_buf) + data->d_size / sizeof(Elf64_Rela));
  }
  elf_end(elf);
  return result;
}

const msgpack::object &at(const msgpack::object &map, const std::string &key) {
  REQUIRE(map.type == msgpack::type::MAP);
  for (uint32_t i = 0; i < map.via.map.size; ++i)
    if (map.via.map.ptr[i].key.type == msgpack::type::STR && map.via.map.ptr[i].key.as<std::string>() == key)
      return map.via.map.ptr[i].val;
  FAIL(key << " is missing");
  return map;
}

} // namespace

TEST_CASE("the header says for what the code is") {
  ReadElf elf = read(**joinStages(drawStages()));
  CHECK(elf.header.e_machine == 224);
  CHECK(elf.header.e_ident[EI_OSABI] == 65);
  CHECK(elf.header.e_flags == 0x2c);
}

TEST_CASE("the text is the image's code") {
  auto image = joinStages(drawStages());
  CHECK(std::ranges::equal(read(**image).text, (*image)->code));
}

TEST_CASE("symbols: entry points, parts, constants") {
  std::vector<StageParts> stages = drawStages();
  Part vertex = vertexMain();
  vertex.constants.assign(16, 7);
  stages[0].parts[1] = std::make_shared<const Part>(vertex);
  auto image = joinStages(stages);
  REQUIRE(image);
  ReadElf elf = read(**image);
  const Image &i = **image;
  auto check = [&](const char *name, uint64_t value, uint64_t size, unsigned type, unsigned binding) {
    INFO(std::string(name));
    REQUIRE(elf.symbols.count(name) == 1);
    CHECK(elf.symbols[name].value == value);
    CHECK(elf.symbols[name].size == size);
    CHECK(elf.symbols[name].type == type);
    CHECK(elf.symbols[name].binding == binding);
  };
  check("_amdgpu_vs_main", 0, i.stages[0].size, STT_FUNC, STB_GLOBAL);
  check("_amdgpu_ps_main", 256, i.stages[1].size, STT_FUNC, STB_GLOBAL);
  check("vs.vertex_prolog", 0, i.parts[0].size, STT_FUNC, STB_LOCAL);
  check("vs.vertex_main", i.parts[1].offset, i.parts[1].size, STT_FUNC, STB_LOCAL);
  check("vs.vertex_main.constants", i.parts[1].constantsOffset, 16, STT_OBJECT, STB_LOCAL);
  check("ps.fragment_epilog", i.parts[3].offset, i.parts[3].size, STT_FUNC, STB_LOCAL);
}

TEST_CASE("the metadata of a vertex and fragment pipeline") {
  std::vector<StageParts> stages = drawStages();
  Part vertex = vertexMain();
  vertex.usage.scratchBytes = 64;
  vertex.interface->pushConstantEnd = 6;
  vertex.interface->spilledPushConstants = 4;
  stages[0].parts[1] = std::make_shared<const Part>(vertex);
  auto image = joinStages(stages, state(), {{UserDataNodeType::PushConstants, 0, 0, 1, 8}});
  ReadElf elf = read(**image);
  CHECK(elf.noteName == "AMDGPU");
  CHECK(elf.noteType == 32);
  msgpack::object_handle handle = msgpack::unpack(elf.metadata.data(), elf.metadata.size());
  const msgpack::object &root = handle.get();
  CHECK((at(root, "amdpal.version").as<std::vector<uint32_t>>() == std::vector<uint32_t>{2, 6}));
  const msgpack::object &pipeline = at(root, "amdpal.pipelines").via.array.ptr[0];
  CHECK(at(pipeline, ".type").as<std::string>() == "VsPs");
  CHECK(at(pipeline, ".user_data_limit").as<uint32_t>() == 7);
  CHECK(at(pipeline, ".spill_threshold").as<uint32_t>() == 5);
  const msgpack::object &vs = at(at(pipeline, ".hardware_stages"), ".vs");
  CHECK(at(vs, ".entry_point").as<std::string>() == "_amdgpu_vs_main");
  CHECK(at(vs, ".scratch_memory_size").as<uint32_t>() == 64);
  CHECK(at(vs, ".vgpr_count").as<uint32_t>() == 8);
  CHECK(at(vs, ".sgpr_count").as<uint32_t>() == 20);
  CHECK((at(at(at(pipeline, ".shaders"), ".pixel"), ".hardware_mapping").as<std::vector<std::string>>() ==
         std::vector<std::string>{".ps"}));
  auto registers = at(pipeline, ".registers").as<std::map<uint32_t, uint32_t>>();
  CHECK(registers.size() == (*image)->registers.size());
  for (const RegisterValue &value : (*image)->registers)
    CHECK(registers[value.address] == value.value);
}

TEST_CASE("the metadata of a compute pipeline") {
  Part main = computeMain("s_endpgm");
  main.interface->compute.workgroupSize = {8, 4, 2};
  main.usage.ldsBytes = 1024;
  ReadElf elf = read(**joinCompute({main}));
  msgpack::object_handle handle = msgpack::unpack(elf.metadata.data(), elf.metadata.size());
  const msgpack::object &pipeline = at(handle.get(), "amdpal.pipelines").via.array.ptr[0];
  CHECK(at(pipeline, ".type").as<std::string>() == "Cs");
  const msgpack::object &cs = at(at(pipeline, ".hardware_stages"), ".cs");
  CHECK(at(cs, ".lds_size").as<uint32_t>() == 1024);
  CHECK((at(cs, ".threadgroup_dimensions").as<std::vector<uint32_t>>() == std::vector<uint32_t>{8, 4, 2}));
  CHECK(elf.symbols.count("_amdgpu_cs_main") == 1);
}

TEST_CASE("fields that need the load address become relocations of the ELF") {
  Part piece = computePiece("s_branch 2\n s_nop 0\n s_nop 0");
  piece.constants.assign(16, 1);
  piece.relocations.push_back({4, RelocationKind::Abs64, RelocationTarget::Constants, 8});
  auto image = joinCompute({piece, computeMain("s_endpgm")});
  REQUIRE(image);
  ReadElf elf = read(**image);
  REQUIRE(elf.relocations.size() == 1);
  CHECK(elf.relocations[0].r_offset == 4);
  CHECK(ELF64_R_TYPE(elf.relocations[0].r_info) == 3); // R_AMDGPU_ABS64
  CHECK(elf.relocations[0].r_addend == int64_t((*image)->parts[0].constantsOffset) + 8);
}

TEST_CASE("pipelines of different parts have different hashes") {
  Part other = fragmentEpilog();
  other.key.hash.low ^= 1;
  std::vector<StageParts> stages = drawStages();
  auto first = joinStages(stages);
  stages[1].parts[1] = std::make_shared<const Part>(other);
  auto second = joinStages(stages);
  CHECK((makePalMetadata(**first).pipelineHash != makePalMetadata(**second).pipelineHash));
  CHECK((makePalMetadata(**first).pipelineHash == makePalMetadata(**joinStages(drawStages())).pipelineHash));
}
