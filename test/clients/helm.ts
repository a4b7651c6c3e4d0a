// Helm as a client of the matrix, in its two living versions: a release of a chart with hooks, from its installation to
// its end. It is built from the Go module proxy, with the libraries of the other programs in Go.

import { join } from 'node:path'
import { findTool } from '../tools.ts'
import { buildGo, needs, type Program } from './programs.ts'

const RELEASE_STEPS = ['install', 'test', 'upgrade', 'rollback', 'uninstall'] as const

export const HELMS: readonly Program[] = [helm('Helm 3.22', 'v3'), helm('Helm 4.3', 'v4')]

function helm(name: string, major: string): Program {
  return {
    name,
    columns: RELEASE_STEPS,
    steps: RELEASE_STEPS,
    ...needs('go', 'kubectl'),
    prepare: async () => {
      const program = await buildGo(`helm.sh/helm/${major}/cmd/helm`, join('helm', major))
      return ['bash', join(import.meta.dirname, 'helm.sh'), program, findTool('kubectl') ?? 'kubectl']
    },
  }
}
