// SPDX-License-Identifier: MIT
// RUN: not lgc -unlinked -part %s 2>&1 | FileCheck %s
// CHECK: lgc: invalid input: -unlinked, -part, -other and -l exclude each other
#version 450
layout(location = 0) in vec4 a;
layout(location = 0) out vec4 color;
void main() { color = sqrt(a); }
