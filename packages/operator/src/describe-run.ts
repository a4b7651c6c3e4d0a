// Describes a run for a host: plain data about its kinds and options, and the rights that follow from them. Pure.

import type { RunDescription } from './host.ts'
import type { RunOptions } from './run-options.ts'
import type { Controlled } from './runtime/controlled.ts'

export function describeRun(
  controlled: readonly Controlled[],
  options: RunOptions,
  {
    fieldManager,
    scope,
  }: { readonly fieldManager: string; readonly scope: { readonly names?: readonly string[] | undefined } },
): RunDescription {
  const { health, pull, leaderElection, leadership } = options
  return {
    name: fieldManager,
    kinds: controlled.map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    definitions: controlled.flatMap(({ definition }) => definition ?? []),
    ...(scope.names && { namespaces: scope.names }),
    leaderElection: Boolean(leaderElection) && leadership === undefined && pull === undefined,
    ...(health && { health: { port: health.port, host: health.host ?? '127.0.0.1' } }),
    ...(pull && { executorType: pull.executorType }),
    rules: [],
  }
}
