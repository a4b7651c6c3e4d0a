// Describes a run for a host: plain data about its kinds and options, and the rights that follow from them.

import { impliedRules } from './access/implied-rules.ts'
import type { DescribedWebhooks, RunDescription } from './host.ts'
import type { RunOptions } from './run-options.ts'
import type { NeededRule } from './runtime/access-rule.ts'
import { configurationName } from './runtime/configuration-name.ts'
import type { Controlled } from './runtime/controlled.ts'
import type { NamespaceScope } from './runtime/namespace-scope.ts'
import { leasesOf } from './start-companions.ts'
import { listeningBehindService } from './webhooks/webhook-options.ts'

interface Settings {
  readonly fieldManager: string
  readonly scope: NamespaceScope
  readonly shutdownMs: number
}

export async function describeRun(
  given: readonly Controlled[],
  options: RunOptions,
  settings: Settings,
): Promise<RunDescription> {
  const { health, pull } = options
  const { scope } = settings
  // As in run.ts: only operators that pull need the executor SDK.
  const controlled = pull ? (await import('./pull/start-pull.ts')).pulling(pull).withHandlers(given) : given
  const isSelected = scope.selection !== undefined && 'labels' in scope.selection
  // Those with labels are known only at run time.
  const namespaces = isSelected ? undefined : scope.names
  const leases = pull === undefined && options.leadership === undefined ? leasesOf(options, settings) : undefined
  const implied = impliedRules({
    controlled,
    caches: options.caches ?? {},
    namespaces,
    selectsNamespaces: isSelected,
    events: options.events === undefined,
    leases,
    configuration: configurationName(settings.fieldManager),
    installs: options.install !== undefined && options.install !== false,
    colony: pull && { namespace: pull.colony ?? scope.only ?? 'default', executorType: pull.executorType },
  })
  return {
    name: settings.fieldManager,
    kinds: controlled.map(({ apiVersion, kind }) => ({ apiVersion, kind })),
    definitions: controlled.flatMap(({ definition }) => definition ?? []),
    ...(namespaces && { namespaces }),
    leaderElection: leases?.isShared === false,
    shards: leases?.isShared === true,
    ...(controlled.some(({ webhooks }) => webhooks !== undefined) && { webhooks: describedWebhooks(options) }),
    ...(health && { health: { port: health.port, host: health.host ?? '127.0.0.1' } }),
    shutdownMs: settings.shutdownMs,
    ...(pull && { executorType: pull.executorType }),
    rules: [...implied, ...declaredRules(controlled, options)],
  }
}

function describedWebhooks({ webhooks = {} }: RunOptions): DescribedWebhooks {
  const { service } = webhooks
  return { ...listeningBehindService(webhooks), ...(service && { service }) }
}

function declaredRules(controlled: readonly Controlled[], { access = [] }: RunOptions): NeededRule[] {
  return [
    ...controlled.flatMap(({ kind, access: own = [] }) => own.map((rule) => ({ ...rule, why: `declared by ${kind}` }))),
    ...access.map((rule) => ({ ...rule, why: 'declared by the program' })),
  ]
}
