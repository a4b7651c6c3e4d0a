// The spec of a Process that somebody wrote. Pure. The server checks the rest.

import type { ProcessSpec } from '@homeostat/executor/protocol'

export interface ReadSpec {
  readonly spec: ProcessSpec | undefined
  readonly problem: string | undefined
}

export function readSpec(text: string): ReadSpec {
  try {
    const spec: unknown = JSON.parse(text)
    if (typeof spec !== 'object' || spec === null || Array.isArray(spec)) return wrong('A spec is an object: { … }')
    const { funcName, conditions } = spec as Partial<ProcessSpec>
    if (typeof funcName !== 'string' || funcName === '') return wrong('funcName must name the function.')
    if (typeof conditions?.executorType !== 'string') return wrong('conditions.executorType must name the type.')
    return { spec: spec as ProcessSpec, problem: undefined }
  } catch (error) {
    return wrong((error as Error).message)
  }
}

function wrong(problem: string): ReadSpec {
  return { spec: undefined, problem }
}
