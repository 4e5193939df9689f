// SPDX-License-Identifier: MIT
// All shaders of a pipeline are in one module, with the state and the layout.
// RUN: dovetail compile %s --emit=lgc-pipeline -o %t.ll
// RUN: FileCheck %s < %t.ll
// CHECK: define {{.*}}void @shader.VS()
// CHECK: define {{.*}}void @shader.FS()
// CHECK: !lgc.shader.modes = !{![[#]], ![[#]]}
// CHECK: !lgc.graphics.state = 
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }
