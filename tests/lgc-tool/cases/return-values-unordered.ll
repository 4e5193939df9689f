; SPDX-License-Identifier: MIT
; RUN: not lgc -passes=lgc-collect-resources,lgc-lower-in-out,lgc-lower-user-data,lgc-make-entry-point %s 2>&1 | FileCheck %s
; CHECK: lgc: invalid input: the shader does not fit a ps program: what it returns is not numbered from 0, or not at its end
define void @main() {
  call void @lgc.return.value(float 1.0, i32 1)
  ret void
}
declare void @lgc.return.value(float, i32)
!lgc.shader.modes = !{!0}
!lgc.pipeline.state = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{}
!lgc.step = !{!90}
!90 = !{!"lgc-optimize-shader"}
