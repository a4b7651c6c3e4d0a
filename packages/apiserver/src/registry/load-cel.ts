// Loads CEL with the first pattern, rule or policy that this server sees: most servers have none for a while, and it is a
// quarter of their code. Who compiles something calls it; what is compiled needs no module.

import type { Cel } from '@homeostat/cel/without-compiler'

export function loadCel(): Promise<Cel> {
  return import('@homeostat/cel')
}
