; SPDX-License-Identifier: MIT
; RUN: not lgc %s -filetype=obj -o %t 2>&1 | FileCheck %s
; RUN: not test -e %t
; What LLVM ends the process over is an error like others: it has no code for powers of doubles.
; CHECK: lgc: invalid input: {{.*}}gave-up.ll: LLVM gave up
define void @main() {
  %d = call <4 x i32> @lgc.load.buffer.desc(i32 0, i32 0, i32 0, i32 0)
  %lane = call i32 @llvm.amdgcn.mbcnt.lo(i32 -1, i32 0)
  %number = uitofp i32 %lane to double
  %power = call double @llvm.amdgcn.exp2.f64(double %number)
  %word = fptoui double %power to i32
  call void @llvm.amdgcn.raw.buffer.store.i32(i32 %word, <4 x i32> %d, i32 0, i32 0, i32 0)
  ret void
}
declare <4 x i32> @lgc.load.buffer.desc(i32, i32, i32, i32)
declare i32 @llvm.amdgcn.mbcnt.lo(i32, i32)
declare double @llvm.amdgcn.exp2.f64(double)
declare void @llvm.amdgcn.raw.buffer.store.i32(i32, <4 x i32>, i32, i32, i32)
!lgc.shader.modes = !{!0}
!0 = !{!"stage", i32 5, !"compute", !6}
!6 = !{!"workgroupSizeX", i32 64}
