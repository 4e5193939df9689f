// SPDX-License-Identifier: MIT
//
// Every topology is a row of a table: the distance between primitives in the stream, the offsets of their corners from
// the start of the primitive, and the provoking corner. The offsets skip vertices for adjacency, unless a geometry
// shader gets them. A geometry shader gets all vertices in their order; only strips of triangles have an order of their
// own. Source: the Vulkan specification, "Primitive Topologies".
//
// The vertices of a geometry shader's triangle begin where the API says: with the last vertex convention, the provoking
// vertex comes last. Strips with adjacency are an exception: the hardware always begins with the first vertex, as for
// the first vertex convention. This is why radeonsi turns every second primitive for GL (si_state_draw.cpp,
// gs_tri_strip_adj_fix).
#include "tools/proof/emulator/draw/primitives/input_assembly.h"
#include "tools/proof/emulator/draw/command/program_registers.h"
#include <algorithm>
#include <numeric>
#include <span>
#include <unordered_map>

namespace dovetail::emulator {

namespace {

constexpr int8_t Hub = -1; // the fan's first vertex

struct Topology {
  VkPrimitiveTopology topology;
  uint8_t corners;
  uint8_t vertices; // of the first primitive
  uint8_t step;     // further vertices of each further primitive
  std::array<int8_t, 3> even, odd;
  uint8_t firstProvokes;                 // the provoking corner by the first-vertex convention
  uint8_t lastProvokes, lastProvokesOdd; // and by the last-vertex convention
};

constexpr Topology Topologies[] = {
    {VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 1, 1, 1, {0}, {0}, 0, 0, 0},
    {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 2, 2, 2, {0, 1}, {0, 1}, 0, 1, 1},
    {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 2, 2, 1, {0, 1}, {0, 1}, 0, 1, 1},
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 3, 3, 3, {0, 1, 2}, {0, 1, 2}, 0, 2, 2},
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP, 3, 3, 1, {0, 1, 2}, {0, 2, 1}, 0, 2, 1},
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 3, 3, 1, {1, 2, Hub}, {1, 2, Hub}, 0, 1, 1},
    {VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY, 2, 4, 4, {1, 2}, {1, 2}, 0, 1, 1},
    {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY, 2, 4, 1, {1, 2}, {1, 2}, 0, 1, 1},
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY, 3, 6, 6, {0, 2, 4}, {0, 2, 4}, 0, 2, 2},
    {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY, 3, 6, 2, {0, 2, 4}, {0, 4, 2}, 0, 2, 1},
};

constexpr bool hasAdjacency(const Topology &topology) {
  return topology.vertices > 3;
}

// The six vertices of triangle i of a strip with adjacency, counted from its start in the stream. The neighbour behind
// the edge to the previous triangle is a vertex of the previous triangle, if there is one; the same holds for the next
// triangle.
std::array<int, 6> stripWithAdjacency(bool isOdd, bool isFirst, bool isLast) {
  const int previous = isFirst ? 1 : -2, next = isLast ? 5 : 6;
  return isOdd ? std::array{0, 3, 4, next, 2, previous} : std::array{0, previous, 2, next, 4, 3};
}

class Assembler {
public:
  Assembler(const Topology &topology, bool lastProvokes, bool primitiveIds, InputUse use)
      : m_topology(topology), m_lastProvokes(lastProvokes), m_primitiveIds(primitiveIds), m_use(use) {}

  void beginInstance(uint32_t instance) {
    m_instance = instance;
    m_primitive = 0;
    m_known.clear();
  }

  // One stretch of the stream between restarts.
  void addRun(std::span<const uint32_t> indices) {
    if (indices.size() < m_topology.vertices)
      return;
    size_t count = (indices.size() - m_topology.vertices) / m_topology.step + 1;
    for (size_t i = 0; i < count; ++i, ++m_primitive) {
      if (m_use == InputUse::Geometry) {
        addGeometryInput(indices, i, i + 1 == count);
        continue;
      }
      bool isOdd = i % 2 != 0;
      FrontPrimitive primitive;
      primitive.number = m_primitive;
      primitive.corners = m_topology.corners;
      primitive.provoking = !m_lastProvokes ? m_topology.firstProvokes
                            : isOdd         ? m_topology.lastProvokesOdd
                                            : m_topology.lastProvokes;
      for (unsigned corner = 0; corner < primitive.corners; ++corner) {
        int offset = isOdd ? m_topology.odd[corner] : m_topology.even[corner];
        size_t position = offset == Hub ? 0 : i * m_topology.step + size_t(offset);
        primitive.vertex[corner] = vertexFor(indices[position]);
      }
      m_result.primitives.push_back(primitive);
    }
  }

  AssembledDraw finish() { return std::move(m_result); }

private:
  void addGeometryInput(std::span<const uint32_t> indices, size_t i, bool isLast) {
    const bool isOdd = i % 2 != 0;
    const size_t start = i * m_topology.step;
    FrontPrimitive primitive;
    primitive.number = m_primitive;
    primitive.corners = hasAdjacency(m_topology) ? m_topology.vertices : m_topology.corners;
    std::array<size_t, MaxFrontCorners> positions = {};
    if (m_topology.topology == VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY) {
      const std::array<int, 6> offsets = stripWithAdjacency(isOdd, i == 0, isLast);
      for (unsigned corner = 0; corner < primitive.corners; ++corner)
        positions[corner] = size_t(int64_t(start) + offsets[corner]);
    } else if (hasAdjacency(m_topology)) {
      for (unsigned corner = 0; corner < primitive.corners; ++corner)
        positions[corner] = start + corner;
    } else {
      for (unsigned corner = 0; corner < primitive.corners; ++corner) {
        const int offset = isOdd ? m_topology.odd[corner] : m_topology.even[corner];
        positions[corner] = offset == Hub ? 0 : start + size_t(offset);
      }
      if (m_lastProvokes && primitive.corners == 3) {
        const unsigned provoking = isOdd ? m_topology.lastProvokesOdd : m_topology.lastProvokes;
        std::rotate(positions.begin(), positions.begin() + (provoking + 1) % 3, positions.begin() + 3);
      }
    }
    for (unsigned corner = 0; corner < primitive.corners; ++corner)
      primitive.vertex[corner] = vertexFor(indices[positions[corner]]);
    m_result.primitives.push_back(primitive);
  }

  uint32_t vertexFor(uint32_t index) {
    uint32_t next = uint32_t(m_result.vertices.size());
    if (m_primitiveIds) {
      m_result.vertices.push_back({index, m_instance, m_primitive});
      return next;
    }
    auto [place, isNew] = m_known.try_emplace(index, next);
    if (isNew)
      m_result.vertices.push_back({index, m_instance, 0});
    return place->second;
  }

  const Topology &m_topology;
  bool m_lastProvokes, m_primitiveIds;
  InputUse m_use;
  uint32_t m_instance = 0, m_primitive = 0;
  std::unordered_map<uint32_t, uint32_t> m_known; // from index to vertex, for this instance
  AssembledDraw m_result;
};

} // namespace

Result<std::vector<uint32_t>> vertexIndices(const Scene &scene) {
  // Without indices, the shader adds the first vertex; with indices, the first vertex is where the indices begin.
  std::vector<uint32_t> indices;
  if (scene.indices.empty()) {
    indices.resize(scene.vertexCount);
    std::iota(indices.begin(), indices.end(), 0u);
  } else {
    const uint64_t end = uint64_t(scene.firstVertex) + scene.vertexCount;
    if (end > scene.indices.size())
      return makeError(ErrorCode::InvalidInput, "the draw wants {} of {} indices", end, scene.indices.size());
    indices.assign(scene.indices.begin() + scene.firstVertex, scene.indices.begin() + int64_t(end));
  }
  return indices;
}

Result<AssembledDraw> assembleInput(const Scene &scene, bool primitiveIds, InputUse use) {
  const Topology *topology = std::ranges::find(Topologies, scene.state.topology, &Topology::topology);
  if (topology == std::end(Topologies))
    return makeError(ErrorCode::Unsupported, "topology {} is not modelled", int(scene.state.topology));

  const std::vector<uint32_t> stream = DOVETAIL_TRY(vertexIndices(scene));
  Assembler assembler(*topology, scene.state.flatProvokingVertexLast, primitiveIds, use);
  const bool restarts = scene.primitiveRestart && !scene.indices.empty();
  for (uint32_t instance = 0; instance < scene.instanceCount; ++instance) {
    assembler.beginInstance(instance);
    for (auto run = stream.begin(); run != stream.end();) {
      auto end = restarts ? std::find(run, stream.end(), RestartIndex) : stream.end();
      assembler.addRun({run, end});
      run = end == stream.end() ? end : end + 1;
    }
  }
  return assembler.finish();
}

FrontDraw makeFrontDraw(const AssembledDraw &input, const HardwareRegisters &registers) {
  FrontDraw front;
  for (const VertexInvocation &vertex : input.vertices)
    front.vertices.push_back(
        {.vgprs = {vertex.index, steppedInstance(registers, vertex.instance), vertex.primitive, vertex.instance}});
  front.primitives = input.primitives;
  return front;
}

} // namespace dovetail::emulator
