// SPDX-License-Identifier: MIT
//
// Makes the points of the grid once, each with a place (u, v) in the unit square. A topology is a list of their
// numbers. An attribute is a function of the place (or of the instance). So vertices that share a point agree, whether
// the draw is indexed or not.
#include "tools/proof/scene/maker/geometry.h"
#include "merge/group_layout.h"
#include "tools/proof/scene/maker/attributes.h"
#include "tools/proof/scene/maker/names.h"
#include "tools/proof/scene/maker/random.h"
#include "tools/proof/scene/maker/vertex_buffers.h"
#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

namespace dovetail {

namespace {

// Draws the points of a grid of cells × cells.
class Grid {
public:
  Grid(uint32_t cells, Random &random) : m_cells(cells), m_random(random) {
    for (uint32_t row = 0; row <= cells; ++row)
      for (uint32_t column = 0; column <= cells; ++column)
        points.push_back({float(column) / cells, float(row) / cells});
  }

  std::vector<GridPoint> points;
  std::vector<uint32_t> order;
  bool restarts = false; // whether order has RestartIndex

  Result<void> arrange(VkPrimitiveTopology topology, uint32_t patchControlPoints, bool mayRestart) {
    switch (topology) {
    case VK_PRIMITIVE_TOPOLOGY_POINT_LIST:
      for (uint32_t i = 0; i < points.size(); ++i)
        order.push_back(i);
      return {};
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST:
      for (uint32_t row = 0; row < m_cells; ++row)
        for (uint32_t column = 0; column < m_cells; ++column)
          order.insert(order.end(), {at(column, row), at(column + 1, row + 1)});
      return {};
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP:
      // Go there and back again, row by row.
      for (uint32_t row = 0; row <= m_cells; ++row)
        for (uint32_t step = 0; step <= m_cells; ++step)
          order.push_back(at(row % 2 ? m_cells - step : step, row));
      return {};
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
      for (uint32_t row = 0; row < m_cells; ++row)
        for (uint32_t column = 0; column < m_cells; ++column)
          addCell(column, row);
      return {};
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP:
      addStrips(mayRestart && m_random.chance(50));
      return {};
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN:
      addFan();
      return {};
    case VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY:
      for (uint32_t row = 0; row < m_cells; ++row)
        for (uint32_t column = 0; column < m_cells; ++column)
          order.insert(order.end(),
                       {at(column, row + 1), at(column, row), at(column + 1, row + 1), at(column + 1, row)});
      return {};
    case VK_PRIMITIVE_TOPOLOGY_LINE_STRIP_WITH_ADJACENCY:
      return arrange(VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, patchControlPoints, mayRestart);
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
      addTrianglesWithAdjacency();
      return {};
    case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
      addStripWithAdjacency();
      return {};
    case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
      for (uint32_t row = 0; row < m_cells; ++row)
        for (uint32_t column = 0; column < m_cells; ++column)
          addPatch(column, row, patchControlPoints);
      return {};
    default:
      return makeError(ErrorCode::Unsupported, "no geometry for primitive topology {}", static_cast<int>(topology));
    }
  }

private:
  uint32_t at(uint32_t column, uint32_t row) const { return row * (m_cells + 1) + column; }

  // Two triangles, split along either diagonal, with either facing.
  void addCell(uint32_t column, uint32_t row) {
    uint32_t corners[4] = {at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)};
    uint32_t first = m_random.below(2);
    for (uint32_t half = 0; half < 2; ++half) {
      uint32_t a = corners[first + half * 2], b = corners[(first + half * 2 + 1) % 4],
               c = corners[(first + half * 2 + 2) % 4];
      if (m_random.chance(25))
        std::swap(b, c);
      order.insert(order.end(), {a, b, c});
    }
  }

  // Makes a strip for each row of cells; between two strips comes a restart, or triangles without area. Every other
  // strip starts on its other side, which turns its triangles around. So some triangles are left, whichever facing is
  // culled.
  void addStrips(bool restart) {
    restarts = restart && m_cells > 1;
    for (uint32_t row = 0; row < m_cells; ++row) {
      uint32_t near = row + row % 2, far = row + 1 - row % 2;
      if (row > 0) {
        if (restart)
          order.push_back(RestartIndex);
        else
          order.insert(order.end(), {order.back(), at(0, near)});
      }
      for (uint32_t column = 0; column <= m_cells; ++column)
        order.insert(order.end(), {at(column, near), at(column, far)});
    }
  }

  void addFan() {
    order.push_back(at(m_cells / 2, m_cells / 2));
    for (uint32_t i = 0; i <= 4 * m_cells; ++i) {
      uint32_t side = i / m_cells % 4, step = i % m_cells;
      uint32_t column = side == 0 ? step : side == 1 ? m_cells : side == 2 ? m_cells - step : 0;
      uint32_t row = side == 0 ? 0 : side == 1 ? step : side == 2 ? m_cells : m_cells - step;
      order.push_back(at(column, row));
    }
  }

  // Adds both halves of each cell; the vertices between the corners are the cell's neighbours.
  void addTrianglesWithAdjacency() {
    for (uint32_t row = 0; row < m_cells; ++row)
      for (uint32_t column = 0; column < m_cells; ++column) {
        uint32_t a = at(column, row), b = at(column + 1, row), c = at(column + 1, row + 1), d = at(column, row + 1);
        uint32_t above = at(column, row > 0 ? row - 1 : row), right = at(std::min(column + 2, m_cells), row);
        uint32_t below = at(column, std::min(row + 2, m_cells)), left = at(column > 0 ? column - 1 : column, row);
        order.insert(order.end(), {a, above, b, right, c, d});
        order.insert(order.end(), {a, b, c, below, d, left});
      }
  }

  // Adds one strip through the whole grid. Its even vertices go there and back like a line strip. The odd ones, the
  // neighbours, follow a row behind.
  void addStripWithAdjacency() {
    for (uint32_t row = 0; row < m_cells; ++row)
      for (uint32_t step = 0; step <= m_cells; ++step) {
        uint32_t column = row % 2 ? m_cells - step : step;
        order.insert(order.end(), {at(column, row), at(m_cells - column, row + 1)});
        order.insert(order.end(), {at(column, row + 1), at(m_cells - column, row)});
      }
  }

  // Three points are a half of the cell. A square number of points is a net over the cell and its neighbours. Any other
  // number runs around the cell, and then around larger squares.
  void addPatch(uint32_t column, uint32_t row, uint32_t controlPoints) {
    if (controlPoints == 3)
      return addCell(column, row);
    uint32_t side = 1;
    while (side * side < controlPoints)
      ++side;
    auto clamped = [&](uint32_t x, uint32_t y) {
      return at(std::min(column + x, m_cells), std::min(row + y, m_cells));
    };
    if (side * side == controlPoints && side > 2) {
      for (uint32_t i = 0; i < controlPoints; ++i)
        order.push_back(clamped(i % side, i / side));
      return;
    }
    for (uint32_t i = 0; i < controlPoints; ++i) {
      uint32_t size = 1 + i / 4;
      constexpr uint32_t X[4] = {0, 1, 1, 0}, Y[4] = {0, 0, 1, 1};
      // Two points make a diagonal.
      uint32_t corner = controlPoints == 2 ? i * 2 : i % 4;
      order.push_back(clamped(X[corner] * size, Y[corner] * size));
    }
  }

  uint32_t m_cells;
  Random &m_random;
};

bool uses(const spirv::Reflection *shader, spv::BuiltIn builtIn) {
  return shader && std::ranges::any_of(shader->builtIns, [&](const spirv::BuiltInVariable &variable) {
           return variable.builtIn == static_cast<uint32_t>(builtIn);
         });
}

void chooseInstances(const spirv::Reflection &vertex, uint32_t limit, Random &random, Scene &scene) {
  bool perInstance = std::ranges::any_of(scene.state.vertexBindings, [](const VertexBinding &binding) {
    return binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE;
  });
  if (perInstance || uses(&vertex, spv::BuiltIn::InstanceIndex))
    scene.instanceCount = random.between(2, 4);
  if (uses(&vertex, spv::BuiltIn::Layer) || uses(&vertex, spv::BuiltIn::ViewportIndex))
    scene.instanceCount = 8;
  if (perInstance && random.chance(25))
    scene.firstInstance = random.between(1, 3);
  // An instance's number, which includes the first one's, may be an index.
  scene.instanceCount = std::min(scene.instanceCount, limit);
  scene.firstInstance = std::min(scene.firstInstance, limit - scene.instanceCount);
}

// Orders the vertices' places as the vertex buffers have them.
Result<std::vector<GridPoint>> arrangeVertices(Random &random, Scene &scene) {
  uint32_t cells = std::clamp(std::min(scene.width, scene.height) / 8, 2u, 8u);
  Grid grid(cells, random);
  bool isIndexed = random.chance(60);
  DOVETAIL_CHECK(grid.arrange(scene.state.topology, scene.state.patchControlPoints, isIndexed));
  scene.vertexCount = static_cast<uint32_t>(grid.order.size());
  std::vector<GridPoint> points;
  if (isIndexed) {
    scene.indices = grid.order;
    scene.primitiveRestart = grid.restarts;
    points = grid.points;
  } else {
    for (uint32_t i : grid.order)
      points.push_back(grid.points[i]);
  }
  // Unread vertices in front of those that the draw reads.
  uint32_t skipped = random.chance(25) ? random.between(1, 5) : 0;
  points.insert(points.begin(), skipped, GridPoint{0.5f, 0.5f});
  if (isIndexed)
    scene.vertexOffset = static_cast<int32_t>(skipped);
  else
    scene.firstVertex = skipped;
  return points;
}

// The shader makes its vertices from their numbers, mostly for one or two primitives.
uint32_t verticesWithoutAttributes(const PipelineState &state) {
  switch (state.topology) {
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST:
    return 3;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY:
    return 6;
  case VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY:
    return 8;
  case VK_PRIMITIVE_TOPOLOGY_PATCH_LIST:
    return 2 * state.patchControlPoints;
  default:
    return 4;
  }
}

} // namespace

int matrixColumnOf(const spirv::Reflection &vertex, size_t index) {
  const spirv::InterfaceLocation &input = vertex.vertexInputs[index];
  std::string_view name = input.name;
  auto isNamed = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
  if (input.numericClass != NumericClass::Float || !(isNamed("atrix") || isNamed("ransform")))
    return -1;
  int column = 0;
  while (index > 0 && vertex.vertexInputs[index - 1].name == input.name)
    --index, ++column;
  return column;
}

int findPositionInput(const spirv::Reflection &vertex) {
  int best = -1;
  unsigned bestScore = 0;
  for (size_t i = 0; i < vertex.vertexInputs.size(); ++i) {
    const spirv::InterfaceLocation &input = vertex.vertexInputs[i];
    if (input.numericClass != NumericClass::Float || (input.componentMask & 3) != 3 || matrixColumnOf(vertex, i) >= 0)
      continue;
    // Prefer an input from which the position is computed, then a telling name, then the first.
    unsigned score = 1 + 2 * positionLikeness(input.name) + (input.feedsPosition ? 16 : 0);
    if (score > bestScore) {
      best = static_cast<int>(i);
      bestScore = score;
    }
  }
  return best;
}

bool isPositionInput(const spirv::Reflection &vertex, size_t index) {
  int position = findPositionInput(vertex);
  return position >= 0 && vertex.vertexInputs[index].name == vertex.vertexInputs[position].name &&
         matrixColumnOf(vertex, index) < 0;
}

Result<void> makeGeometry(const ShaderSet &shaders, const IndexLimits &limits, Scene &scene) {
  const spirv::Reflection *vertex = shaders.reflection(lgc::ShaderStage::Vertex);
  if (!vertex)
    return makeError(ErrorCode::Unsupported, "a draw without a vertex shader");
  if (scene.state.topology == VK_PRIMITIVE_TOPOLOGY_PATCH_LIST)
    DOVETAIL_CHECK(checkPatchControlPoints(scene.state.patchControlPoints));
  Random random(scene.seed, "geometry");
  chooseInstances(*vertex, limits.instanceIndex, random, scene);
  if (scene.state.vertexAttributes.empty()) {
    scene.vertexCount = std::min(verticesWithoutAttributes(scene.state), limits.vertexIndex);
    return {};
  }
  std::vector<GridPoint> points = DOVETAIL_TRY(arrangeVertices(random, scene));
  AttributeMaker attributes(*vertex, limits, scene.seed);
  return makeVertexBuffers(attributes, points, scene);
}

} // namespace dovetail
