// SPDX-License-Identifier: MIT
#include "tests/scene_maker/glsl_shaders.h"
#include "tools/proof/scene/maker/index_limits.h"
#include "variants/user_data_layout.h"
#include <doctest/doctest.h>

using namespace dovetail;

namespace {

IndexLimits limitsOf(const ShaderSet &shaders) {
  Result<IndexLimits> limits = findIndexLimits(shaders);
  if (!limits)
    FAIL(limits.error().text);
  return *limits;
}

const std::string Vertex = "layout(location = 0) in vec4 p; void main() { gl_Position = p; }";
const std::string Colors = "layout(location = 0) out vec4 o; const vec4 table[5] = vec4[](vec4(0), vec4(1), vec4(2), "
                           "vec4(3), vec4(4));";

} // namespace

TEST_CASE("a member of a block that is an index has the array's size as limit, and others have none") {
  IndexLimits limits =
      limitsOf(shadersOf(Vertex, Colors + "layout(set = 1, binding = 2) uniform U { vec4 a; int i; int j; } u;"
                                          "void main() { o = u.a + table[u.i] * float(u.j); }"));
  CHECK(limits.ofMember(1, 2, 16) == 5);
  CHECK(limits.ofMember(1, 2, 20) == NoIndexLimit);
  CHECK(limits.ofMember(1, 3, 16) == NoIndexLimit);
}

TEST_CASE("an index is followed through variables, functions and conversions") {
  IndexLimits limits =
      limitsOf(shadersOf(Vertex, Colors + "layout(push_constant) uniform P { float x; int i; } p;"
                                          "vec4 pick(int i) { int j = 0; if (i > 0) j = i; return table[j]; }"
                                          "void main() { o = pick(p.i) + pick(int(floor(p.x))); }"));
  CHECK(limits.ofMember(IndexLimits::PushConstants, 0, 0) == 5);
  CHECK(limits.ofMember(IndexLimits::PushConstants, 0, 4) == 5);
}

TEST_CASE("what is added to an index, and what it is multiplied with, leaves less room") {
  IndexLimits limits = limitsOf(shadersOf(Vertex, Colors + "layout(push_constant) uniform P { int i, j; } p;"
                                                           "void main() { o = table[p.i + 3] + table[2 * p.j]; }"));
  CHECK(limits.ofMember(IndexLimits::PushConstants, 0, 0) == 2);
  CHECK(limits.ofMember(IndexLimits::PushConstants, 0, 4) == 3);
}

TEST_CASE("the end of a loop over indices is limited like them") {
  IndexLimits limits =
      limitsOf(shadersOf(Vertex, Colors + "layout(push_constant) uniform P { int n; } p;"
                                          "void main() { o = vec4(0); for (int i = 0; i < p.n; ++i) o += table[i]; }"));
  CHECK(limits.ofMember(IndexLimits::PushConstants, 0, 0) == 5);
}

TEST_CASE("an index that a stage hands on is limited where it comes from") {
  IndexLimits limits = limitsOf(
      shadersOf("layout(location = 0) in vec4 p; layout(location = 3) in int i; layout(location = 1) flat out int j;"
                "layout(location = 0) flat out int k; void main() { gl_Position = p; j = i; k = gl_InstanceIndex; }",
                Colors + "layout(location = 1) flat in int j; layout(location = 0) flat in int k;"
                         "void main() { o = table[j] + table[k + 2]; }"));
  CHECK(limits.ofVertexInput(3) == 5);
  CHECK(limits.ofVertexInput(0) == NoIndexLimit);
  CHECK(limits.instanceIndex == 3);
  CHECK(limits.vertexIndex == NoIndexLimit);
}

TEST_CASE("where all invocations must have the same descriptor, they have the first one") {
  const std::string vertex = "layout(location = 0) in vec4 p; layout(location = 1) flat out int j;"
                             "void main() { gl_Position = p; j = gl_InstanceIndex; }";
  const std::string fragment = "#extension GL_EXT_nonuniform_qualifier : require\n"
                               "layout(location = 0) out vec4 o; layout(location = 1) flat in int j;"
                               "layout(set = 0, binding = 0) uniform sampler2D t[3];";
  CHECK(limitsOf(shadersOf(vertex, fragment + "void main() { o = texture(t[j], o.xy); }")).instanceIndex == 1);
  CHECK(
      limitsOf(shadersOf(vertex, fragment + "void main() { o = texture(t[nonuniformEXT(j)], o.xy); }")).instanceIndex ==
      3);
}

TEST_CASE("descriptors without a number are as many as the layout has") {
  ShaderSet shaders = shadersOf("layout(location = 0) in vec4 p; layout(location = 1) flat out int j;"
                                "void main() { gl_Position = p; j = gl_InstanceIndex; }",
                                "#extension GL_EXT_nonuniform_qualifier : require\n"
                                "layout(location = 0) out vec4 o; layout(location = 1) flat in int j;"
                                "layout(set = 1, binding = 2) uniform sampler2D t[];"
                                "void main() { o = texture(t[nonuniformEXT(j)], o.xy); }");
  CHECK(elementsInLayout(shaders, 1, 2) == RuntimeArrayElements);
  CHECK(limitsOf(shaders).instanceIndex == RuntimeArrayElements);
  CHECK(elementsInLayout(shaders, 1, 3) == 0);
  UserDataNodes nodes = shaders.userDataNodes();
  for (UserDataNode &node : nodes)
    if (node.type != UserDataNodeType::DescriptorTable)
      node.sizeInDwords = 3 * node.strideInDwords;
  shaders.layout = std::make_shared<const ResourceLayout>(std::move(nodes));
  CHECK(elementsInLayout(shaders, 1, 2) == 3);
  CHECK(limitsOf(shaders).instanceIndex == 3);
}
