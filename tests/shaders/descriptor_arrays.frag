// SPDX-License-Identifier: MIT
// Arrays of uniform blocks, storage blocks and textures with dynamic and non-uniform indices.
#version 450
#extension GL_EXT_nonuniform_qualifier : require
layout(set = 0, binding = 0) uniform Material { vec4 color; } materials[4];
layout(set = 0, binding = 1) readonly buffer Extra { vec4 extra[]; } extras[2];
layout(set = 1, binding = 0) uniform sampler2D bindless[];
layout(set = 2, binding = 0) uniform sampler2D textures[8];
layout(set = 2, binding = 1) uniform texture2D images[4];
layout(set = 2, binding = 2) uniform sampler samplers[2];
layout(location = 0) flat in int material;
layout(location = 1) in vec2 uv;
layout(push_constant) uniform Push { int texture0; };
layout(location = 0) out vec4 target;

void main() {
  target = materials[texture0 & 3].color;
  target += extras[texture0 & 1].extra[material];
  target *= texture(textures[texture0], uv);
  // lavapipe (Mesa 22.3) ignores the index of a sampler, which is 0 here as there are 8 textures; it binds those textures
  // of an array without a size that it sees a constant index of; and it takes the sampler of a computed index by the
  // number of the image, which separate ones before it would change.
  target += texture(sampler2D(images[3], samplers[texture0 >> 3]), uv);
  target += texture(bindless[nonuniformEXT(material)], uv);
  target += texture(bindless[0], uv) + texture(bindless[1], uv) + texture(bindless[2], uv) + texture(bindless[3], uv);
}
