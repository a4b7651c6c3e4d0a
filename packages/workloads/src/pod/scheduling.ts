// Whether a pod can run here, and on which runtime. Pure. There is one node; what a scheduler would weigh is not looked at.

import type { Pod } from '../kinds.ts'

export const NODE_NAME = 'homeostat'

export interface Runtimes {
  readonly names: readonly string[]
  readonly byDefault: string
}

export type Placement =
  /** Somebody else's, or not to be touched yet. */
  | { readonly act: 'leave' }
  | { readonly act: 'refuse'; readonly message: string }
  | { readonly act: 'bind' }
  | { readonly act: 'run'; readonly runtime: string }

export function placePod(
  { spec = {} }: Pod,
  runtimes: Runtimes,
  nodeLabels: Readonly<Record<string, string>>,
): Placement {
  const { nodeName, runtimeClassName } = spec
  if (nodeName && nodeName !== NODE_NAME) return { act: 'leave' }
  const runtime = runtimeClassName || runtimes.byDefault
  const isKnown = runtimes.names.includes(runtime)
  if (nodeName && isKnown) return { act: 'run', runtime }
  if ((spec.schedulingGates ?? []).length > 0) return { act: 'leave' }
  if (!isKnown) {
    const known = runtimes.names.join(', ')
    const message = `runtimeClassName "${runtime}" is not known here: use one of ${known}, or leave it out for ${runtimes.byDefault}`
    return { act: 'refuse', message }
  }
  const missing = Object.entries(spec.nodeSelector ?? {}).filter(([key, value]) => nodeLabels[key] !== value)
  if (missing.length > 0) {
    const wanted = missing.map(([key, value]) => `${key}=${value}`).join(', ')
    const message = `0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector (${wanted})`
    return { act: 'refuse', message }
  }
  return { act: 'bind' }
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386' }

/** What a nodeSelector can ask for. */
export const NODE_LABELS: Readonly<Record<string, string>> = {
  'kubernetes.io/hostname': NODE_NAME,
  'kubernetes.io/os': process.platform,
  'kubernetes.io/arch': ARCHITECTURES[process.arch] ?? process.arch,
}
