// Helm as a client of the matrix, in its two living versions: a release of a chart with hooks, from its installation to
// its end. It is built from the Go module proxy, with the libraries of the other programs in Go.

import { join } from 'node:path'
import { findTool } from '../tools.ts'
import { buildGo, needs, type Program } from './programs.ts'

const RELEASE_STEPS = ['install', 'test', 'upgrade', 'rollback', 'uninstall'] as const

export interface Helm extends Program {
  readonly major: string
}

export const HELMS: readonly Helm[] = [helm('Helm 3.22', 'v3'), helm('Helm 4.3', 'v4')]

function helm(name: string, major: string): Helm {
  return {
    name,
    major,
    columns: RELEASE_STEPS,
    steps: RELEASE_STEPS,
    ...needs('go', 'kubectl'),
    prepare: async () => {
      const program = await helmProgram(major)
      return ['bash', join(import.meta.dirname, 'helm.sh'), program, findTool('kubectl') ?? 'kubectl']
    },
  }
}

/** Its path; built when it is not there. */
export function helmProgram(major: string): Promise<string> {
  return buildGo(`helm.sh/helm/${major}/cmd/helm`, join('helm', major))
}
