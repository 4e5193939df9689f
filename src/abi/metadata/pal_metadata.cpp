// SPDX-License-Identifier: MIT
//
// A MessagePack map announces its size before its entries. So each map is first collected as a list of keys and
// writers, without the optional entries that are missing, and then written.
#include "src/abi/metadata/pal_metadata.h"
#include <functional>
#include <msgpack.hpp>
#include <string_view>

namespace dovetail {

namespace {

using Packer = msgpack::packer<msgpack::sbuffer>;

void packText(Packer &packer, std::string_view text) {
  packer.pack_str(uint32_t(text.size()));
  packer.pack_str_body(text.data(), uint32_t(text.size()));
}

// A map that is being collected.
class Map {
public:
  using Writer = std::function<void(Packer &)>;

  void add(std::string_view key, Writer writer) { m_entries.emplace_back(key, std::move(writer)); }
  void add(std::string_view key, uint64_t value) {
    add(key, [value](Packer &packer) { packer.pack_uint64(value); });
  }
  void addBool(std::string_view key, bool value) {
    add(key, [value](Packer &packer) { value ? packer.pack_true() : packer.pack_false(); });
  }
  void addText(std::string_view key, std::string value) {
    add(key, [value = std::move(value)](Packer &packer) { packText(packer, value); });
  }
  void addHash(std::string_view key, const Hash128 &hash) {
    add(key, [hash](Packer &packer) {
      packer.pack_array(2);
      packer.pack_uint64(hash.low);
      packer.pack_uint64(hash.high);
    });
  }
  void addMap(std::string_view key, Map map) {
    add(key, [map = std::move(map)](Packer &packer) { map.write(packer); });
  }

  void write(Packer &packer) const {
    packer.pack_map(uint32_t(m_entries.size()));
    for (const auto &[key, writer] : m_entries) {
      packText(packer, key);
      writer(packer);
    }
  }

private:
  std::vector<std::pair<std::string, Writer>> m_entries;
};

std::string dotted(std::string_view name) {
  return "." + std::string(name);
}

Map describe(const PalShader &shader) {
  Map map;
  map.addHash(".api_shader_hash", shader.hash);
  map.add(".hardware_mapping", [mapping = shader.hardwareMapping](Packer &packer) {
    packer.pack_array(uint32_t(mapping.size()));
    for (HardwareStage stage : mapping)
      packText(packer, dotted(toString(stage)));
  });
  return map;
}

Map describe(const PalHardwareStage &stage) {
  Map map;
  map.addText(".entry_point", stage.entryPoint);
  map.add(".scratch_memory_size", stage.scratchMemorySize);
  map.add(".lds_size", stage.ldsSize);
  map.add(".sgpr_count", stage.sgprCount);
  map.add(".vgpr_count", stage.vgprCount);
  map.add(".sgpr_limit", stage.sgprLimit);
  map.add(".vgpr_limit", stage.vgprLimit);
  map.add(".wavefront_size", stage.wavefrontSize);
  if (stage.stage == HardwareStage::Ps) {
    map.addBool(".uses_uavs", stage.usesUavs);
    map.addBool(".writes_uavs", stage.writesUavs);
    map.addBool(".writes_depth", stage.writesDepth);
  }
  if (stage.threadgroupDimensions)
    map.add(".threadgroup_dimensions", [dimensions = *stage.threadgroupDimensions](Packer &packer) {
      packer.pack_array(3);
      for (uint32_t dimension : dimensions)
        packer.pack_uint32(dimension);
    });
  return map;
}

} // namespace

std::string_view toString(ApiStage stage) {
  static constexpr std::string_view Names[] = {"vertex", "hull", "domain", "geometry", "pixel", "compute"};
  return Names[unsigned(stage)];
}

std::string palEntrySymbol(HardwareStage stage) {
  return "_amdgpu_" + std::string(toString(stage)) + "_main";
}

std::vector<uint8_t> encodePalMetadata(const PalMetadata &metadata) {
  Map pipeline;
  pipeline.addText(".type", metadata.type);
  pipeline.addText(".api", metadata.api);
  pipeline.addHash(".internal_pipeline_hash", metadata.pipelineHash);
  pipeline.add(".user_data_limit", metadata.userDataLimit);
  pipeline.add(".spill_threshold", metadata.spillThreshold);
  pipeline.addBool(".uses_viewport_array_index", metadata.usesViewportArrayIndex);
  pipeline.addBool(".ps_sample_mask", metadata.psSampleMask);

  Map shaders;
  for (const PalShader &shader : metadata.shaders)
    shaders.addMap(dotted(toString(shader.stage)), describe(shader));
  pipeline.addMap(".shaders", std::move(shaders));

  Map stages;
  for (const PalHardwareStage &stage : metadata.hardwareStages)
    stages.addMap(dotted(toString(stage.stage)), describe(stage));
  pipeline.addMap(".hardware_stages", std::move(stages));

  pipeline.add(".registers", [&metadata](Packer &packer) {
    packer.pack_map(uint32_t(metadata.registers.size()));
    for (auto [address, value] : metadata.registers) {
      packer.pack_uint32(address);
      packer.pack_uint32(value);
    }
  });

  Map root;
  root.add("amdpal.version", [](Packer &packer) {
    packer.pack_array(2);
    packer.pack_uint32(PalMetadataMajorVersion);
    packer.pack_uint32(PalMetadataMinorVersion);
  });
  root.add("amdpal.pipelines", [&pipeline](Packer &packer) {
    packer.pack_array(1);
    pipeline.write(packer);
  });

  msgpack::sbuffer buffer;
  Packer packer(buffer);
  root.write(packer);
  return {buffer.data(), buffer.data() + buffer.size()};
}

} // namespace dovetail
