; SPDX-License-Identifier: MIT
; Attributes and metadata of a front end's stay, and change no code.
; RUN: lgc -passes= %s | FileCheck %s
; CHECK: "front-end-kind"="a b/c"
; CHECK: !front.end.notes = !{
; RUN: lgc %s -filetype=asm -o %t.with.s
; RUN: sed 's/"front-end-kind".*"uniform-work-group-size"="false"//; /front.end.notes/d; /amdgpu.pal.metadata/d' %s > %t.without.ll
; RUN: lgc %t.without.ll -filetype=asm -o %t.without.s
; RUN: diff %t.with.s %t.without.s
define void @main() "front-end-kind"="a b/c" "amdgpu-no-workitem-id-x" "patchable-function"="prologue-short-redirect" "uniform-work-group-size"="false" {
  ret void
}
!lgc.shader.modes = !{!0}
!front.end.notes = !{!1}
!amdgpu.pal.metadata = !{!1}
!0 = !{!"stage", i32 4}
!1 = !{i32 268447842, i32 7}
