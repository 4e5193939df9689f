// SPDX-License-Identifier: MIT
// RUN: dovetail compile %s %S/inputs/reads_color.frag --emit=lgc-pipeline -o %t.ll
// RUN: lgc -part %t.ll -o %t.fs
// RUN: not lgc -other=%t.fs %t.ll -o %t.none 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: -other: the other part has 2 shaders, and a file holds one; -stage says which
// RUN: not lgc -other=%t.fs -stage=tesc %t.ll -o %t.none 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: -stage: the pipeline has no tessellation control shader
// RUN: lgc -other=%t.fs -stage=vert %t.ll -o %t.vs
// RUN: lgc -other=%t.fs -stage=geom %t.ll -o %t.gs
// RUN: lgc -l %t.ll %t.vs %t.gs %t.fs | FileCheck %s
// CHECK: exp mrt0
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
layout(location = 0) out vec4 color;
void main() {
  for (int i = 0; i < 3; ++i) {
    gl_Position = gl_in[i].gl_Position;
    color = gl_in[i].gl_Position * 0.5;
    EmitVertex();
  }
}
