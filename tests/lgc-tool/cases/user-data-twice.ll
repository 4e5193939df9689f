; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-set-attributes,lgc-replay,lgc-optimize-shader,lgc-collect-resources,lgc-lower-in-out,lgc-lower-user-data,lgc-lower-user-data %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: lgc-lower-user-data runs once, and this module is behind lgc-lower-user-data
define void @main() {
  ret void
}
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
