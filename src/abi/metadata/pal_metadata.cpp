// SPDX-License-Identifier: MIT
//
// Both directions visit the entries of a map in one list, in the order of the file. A MessagePack map announces its
// size before its entries. So each map is first collected as a list of keys and writers, without the optional entries
// that are missing, and then written.
#include "src/abi/metadata/pal_metadata.h"
#include "src/base/enumerators.h"
#include <algorithm>
#include <functional>
#include <msgpack.hpp>

namespace dovetail {

namespace {

// The entries that are read and written alike. `Metadata`, `Stage`, `Shader`: const if they are written.
template <typename Visit, typename Metadata> void visitPipeline(Visit &visit, Metadata &metadata) {
  visit(".type", metadata.type);
  visit(".api", metadata.api);
  visit(".internal_pipeline_hash", metadata.pipelineHash);
  visit(".user_data_limit", metadata.userDataLimit);
  visit(".spill_threshold", metadata.spillThreshold);
  visit(".uses_viewport_array_index", metadata.usesViewportArrayIndex);
  visit(".ps_sample_mask", metadata.psSampleMask);
}

template <typename Visit, typename Shader> void visitShader(Visit &visit, Shader &shader) {
  visit(".api_shader_hash", shader.hash);
  visit(".hardware_mapping", shader.hardwareMapping);
}

template <typename Visit, typename Stage> void visitStage(Visit &visit, Stage &stage) {
  visit(".entry_point", stage.entryPoint);
  visit(".scratch_memory_size", stage.scratchMemorySize);
  visit(".lds_size", stage.ldsSize);
  visit(".sgpr_count", stage.sgprCount);
  visit(".vgpr_count", stage.vgprCount);
  visit(".sgpr_limit", stage.sgprLimit);
  visit(".vgpr_limit", stage.vgprLimit);
  visit(".wavefront_size", stage.wavefrontSize);
  if (Visit::IsReading || stage.stage == HardwareStage::Ps) {
    visit(".uses_uavs", stage.usesUavs);
    visit(".writes_uavs", stage.writesUavs);
    visit(".writes_depth", stage.writesDepth);
  }
  visit(".threadgroup_dimensions", stage.threadgroupDimensions);
}

template <typename Stage> std::string dotted(Stage stage) {
  return "." + std::string(toString(stage));
}

// Writing

using Packer = msgpack::packer<msgpack::sbuffer>;

template <typename Value> void write(Packer &packer, const Value &value) {
  packer.pack(value);
}
void write(Packer &packer, const Hash128 &hash) {
  packer.pack(std::array{hash.low, hash.high});
}
void write(Packer &packer, const std::vector<HardwareStage> &stages) {
  packer.pack_array(uint32_t(stages.size()));
  for (HardwareStage stage : stages)
    packer.pack(dotted(stage));
}

// A map that is being collected. The values must outlive it.
class Map {
public:
  static constexpr bool IsReading = false;

  void add(std::string key, std::function<void(Packer &)> writer) {
    m_entries.emplace_back(std::move(key), std::move(writer));
  }
  void addMap(std::string key, Map map) {
    add(std::move(key), [map = std::move(map)](Packer &packer) { map.writeTo(packer); });
  }
  template <typename Value> void operator()(std::string_view key, const Value &value) {
    add(std::string(key), [&value](Packer &packer) { write(packer, value); });
  }
  template <typename Value> void operator()(std::string_view key, const std::optional<Value> &value) {
    if (value)
      (*this)(key, *value);
  }

  void writeTo(Packer &packer) const {
    packer.pack_map(uint32_t(m_entries.size()));
    for (const auto &[key, writer] : m_entries) {
      packer.pack(key);
      writer(packer);
    }
  }

private:
  std::vector<std::pair<std::string, std::function<void(Packer &)>>> m_entries;
};

// Reading. Each function returns whether the object is of the value's type.

using msgpack::object;

std::span<const object> elementsOf(const object &array) {
  return array.type == msgpack::type::ARRAY ? std::span<const object>(array.via.array.ptr, array.via.array.size)
                                            : std::span<const object>();
}
std::span<const msgpack::object_kv> entriesOf(const object &map) {
  return map.type == msgpack::type::MAP ? std::span<const msgpack::object_kv>(map.via.map.ptr, map.via.map.size)
                                        : std::span<const msgpack::object_kv>();
}

// A text in place; empty for objects of other types.
std::string_view textOf(const object &from) {
  return from.type == msgpack::type::STR ? std::string_view(from.via.str.ptr, from.via.str.size) : std::string_view();
}

bool get(const object &from, std::string &text) {
  text = textOf(from);
  return from.type == msgpack::type::STR;
}

// Numbers and truth values.
template <typename Value> bool get(const object &from, Value &value) {
  try {
    from.convert(value);
    return true;
  } catch (const msgpack::type_error &) {
    return false;
  }
}
template <typename Number, size_t Count> bool get(const object &from, std::array<Number, Count> &numbers) {
  const std::span<const object> elements = elementsOf(from);
  return elements.size() == Count && std::ranges::equal(elements, numbers, [](const object &element, Number &number) {
           return get(element, number);
         });
}
template <typename Value> bool get(const object &from, std::optional<Value> &value) {
  return get(from, value.emplace());
}
bool get(const object &from, Hash128 &hash) {
  std::array<uint64_t, 2> halves;
  if (!get(from, halves))
    return false;
  hash = {.high = halves[1], .low = halves[0]};
  return true;
}
template <typename Stage> std::optional<Stage> stageOf(const object &name, unsigned count) {
  for (unsigned stage = 0; stage < count; ++stage)
    if (textOf(name) == dotted(Stage(stage)))
      return Stage(stage);
  return std::nullopt;
}
bool get(const object &from, std::vector<HardwareStage> &stages) {
  for (const object &name : elementsOf(from)) {
    const auto stage = stageOf<HardwareStage>(name, HardwareStageCount);
    if (!stage)
      return false;
    stages.push_back(*stage);
  }
  return from.type == msgpack::type::ARRAY;
}

tl::unexpected<Error> malformed(std::string_view entry) {
  return makeError(ErrorCode::InvalidInput, "PAL metadata: {} is missing or malformed", entry);
}

const object *find(const object &map, std::string_view key) {
  for (const msgpack::object_kv &entry : entriesOf(map))
    if (textOf(entry.key) == key)
      return &entry.val;
  return nullptr;
}

// Reads entries of a map. A missing entry leaves the value as it was; an entry of another type is a failure, and so is
// an object that is no map.
class MapReader {
public:
  static constexpr bool IsReading = true;

  explicit MapReader(const object &map)
      : m_map(map), m_failed(map.type == msgpack::type::MAP ? std::string_view() : "a map") {}

  template <typename Value> void operator()(std::string_view key, Value &value) {
    if (const object *entry = find(m_map, key); entry && !get(*entry, value) && m_failed.empty())
      m_failed = key;
  }

  // Errors: names the key of the first failure.
  Result<void> outcome() const {
    if (m_failed.empty())
      return {};
    return malformed(m_failed);
  }

private:
  const object &m_map;
  std::string_view m_failed; // the key
};

Result<PalMetadata> readPipeline(const object &map) {
  PalMetadata metadata;
  MapReader reader(map);
  visitPipeline(reader, metadata);
  DOVETAIL_CHECK(reader.outcome());
  const object *shaders = find(map, ".shaders");
  if (shaders && shaders->type != msgpack::type::MAP)
    return malformed(".shaders");
  if (shaders)
    for (const auto &[name, entries] : entriesOf(*shaders))
      if (const auto stage = stageOf<ApiStage>(name, ApiStageCount)) {
        PalShader &shader = metadata.shaders.emplace_back(PalShader{*stage, {}, {}});
        MapReader shaderReader(entries);
        visitShader(shaderReader, shader);
        DOVETAIL_CHECK(shaderReader.outcome());
        if (!find(entries, ".hardware_mapping"))
          return malformed(".hardware_mapping");
      }
  const object *stages = find(map, ".hardware_stages"), *registers = find(map, ".registers");
  if (!stages || stages->type != msgpack::type::MAP)
    return malformed(".hardware_stages");
  for (const auto &[name, entries] : entriesOf(*stages))
    if (const auto hardware = stageOf<HardwareStage>(name, HardwareStageCount)) {
      PalHardwareStage &stage = metadata.hardwareStages.emplace_back();
      stage.stage = *hardware;
      MapReader stageReader(entries);
      visitStage(stageReader, stage);
      DOVETAIL_CHECK(stageReader.outcome());
    }
  if (!registers || registers->type != msgpack::type::MAP)
    return malformed(".registers");
  for (const auto &[address, value] : entriesOf(*registers)) {
    auto &read = metadata.registers.emplace_back();
    if (!get(address, read.first) || !get(value, read.second))
      return malformed(".registers");
  }
  return metadata;
}

} // namespace

std::string_view toString(ApiStage stage) {
  static constexpr std::string_view Names[] = {"vertex", "hull", "domain", "geometry", "pixel", "compute"};
  static_assert(std::size(Names) == enumeratorCount<ApiStage>());
  return Names[unsigned(stage)];
}

std::string palEntrySymbol(HardwareStage stage) {
  return "_amdgpu_" + std::string(toString(stage)) + "_main";
}

std::vector<uint8_t> encodePalMetadata(const PalMetadata &metadata) {
  Map pipeline, shaders, stages, root;
  visitPipeline(pipeline, metadata);
  for (const PalShader &shader : metadata.shaders) {
    Map map;
    visitShader(map, shader);
    shaders.addMap(dotted(shader.stage), std::move(map));
  }
  pipeline.addMap(".shaders", std::move(shaders));
  for (const PalHardwareStage &stage : metadata.hardwareStages) {
    Map map;
    visitStage(map, stage);
    stages.addMap(dotted(stage.stage), std::move(map));
  }
  pipeline.addMap(".hardware_stages", std::move(stages));
  pipeline.add(".registers", [&metadata](Packer &packer) {
    packer.pack_map(uint32_t(metadata.registers.size()));
    for (auto [address, value] : metadata.registers) {
      packer.pack_uint32(address);
      packer.pack_uint32(value);
    }
  });
  root.add("amdpal.version", [](Packer &packer) {
    packer.pack(std::array{PalMetadataMajorVersion, PalMetadataMinorVersion});
  });
  root.add("amdpal.pipelines", [&pipeline](Packer &packer) {
    packer.pack_array(1);
    pipeline.writeTo(packer);
  });

  msgpack::sbuffer buffer;
  Packer packer(buffer);
  root.writeTo(packer);
  return {buffer.data(), buffer.data() + buffer.size()};
}

Result<PalMetadata> decodePalMetadata(std::span<const uint8_t> bytes) {
  // Far beyond what metadata has. Each list takes memory before its elements are read.
  constexpr size_t MaxElements = 1 << 12, MaxDepth = 32;
  const msgpack::unpack_limit limit(MaxElements, MaxElements, UINT32_MAX, UINT32_MAX, UINT32_MAX, MaxDepth);
  msgpack::object_handle handle;
  try {
    handle = msgpack::unpack(reinterpret_cast<const char *>(bytes.data()), bytes.size(), nullptr, nullptr, limit);
  } catch (const msgpack::unpack_error &) {
    return makeError(ErrorCode::InvalidInput, "PAL metadata is not MessagePack");
  }
  const object *version = find(handle.get(), "amdpal.version"), *pipelines = find(handle.get(), "amdpal.pipelines");
  std::array<uint64_t, 2> numbers;
  if (!version || !get(*version, numbers) || numbers.front() != PalMetadataMajorVersion)
    return malformed("amdpal.version");
  if (!pipelines || elementsOf(*pipelines).size() != 1)
    return malformed("amdpal.pipelines");
  return readPipeline(elementsOf(*pipelines).front());
}

} // namespace dovetail
