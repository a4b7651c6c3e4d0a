// Requests names for completion from the server. After an error or a timeout there are no candidates.

import type { ApiObject } from '@homeostat/client'
import type { Executor } from '@homeostat/executor/protocol'
import { parseDuration } from '@homeostat/meta/duration'
import { definedKind } from '../access/definitions.ts'
import { type ListSelection, listMetadata, listObjects } from '../access/objects.ts'
import { DEFINITIONS, EXECUTORS, GRAPHS, NAMESPACES, PROCESSES, SCHEDULES } from '../access/paths.ts'
import { ServedKinds } from '../access/served-kinds.ts'
import { type Session, withServer } from '../access/session.ts'
import { colonyOptions } from '../options/option-groups.ts'
import { parseOptions } from '../options/parse-options.ts'
import type { Terminal } from '../terminal.ts'
import type { AskedFor } from './completion-plan.ts'

/** The default timeout; a person is waiting at the prompt. */
const LIMIT_MS = 1000

export async function namesOf(what: AskedFor, before: readonly string[], terminal: Terminal): Promise<string[]> {
  try {
    const quiet = { ...terminal, error() {} }
    const limit = parseDuration(terminal.env.HOMEOSTAT_COMPLETION_TIMEOUT ?? '') ?? LIMIT_MS
    return await withServer(serverSaid(before, terminal), quiet, (session) =>
      ask(what, session, AbortSignal.timeout(limit)),
    )
  } catch {
    return []
  }
}

async function ask(what: AskedFor, { client, namespace }: Session, signal: AbortSignal): Promise<string[]> {
  const selection: ListSelection = { namespace, signal }
  if (what === 'kind') return kindNames(await ServedKinds.read(client, signal))
  if (typeof what === 'object') {
    const kind = (await ServedKinds.read(client, signal)).one(what.namesOf)
    const found = names(await listMetadata(client, kind, selection))
    return what.withKind ? found.map((name) => `${what.namesOf}/${name}`) : found
  }
  if (what === 'process') return names(await listMetadata(client, PROCESSES, selection))
  if (what === 'graph') return names(await listMetadata(client, GRAPHS, selection))
  if (what === 'schedule') return names(await listMetadata(client, SCHEDULES, selection))
  if (what === 'executor') return names(await listMetadata(client, EXECUTORS, selection))
  if (what === 'namespace') return names(await listMetadata(client, NAMESPACES, { signal }))
  if (what === 'definition') return names(await listMetadata(client, DEFINITIONS, { signal }))
  if (what === 'executor-type') {
    const executors = await listObjects<Executor>(client, EXECUTORS, selection)
    return [...new Set(executors.map(({ spec }) => spec.type))]
  }
  const definitions = await listObjects<Parameters<typeof definedKind>[0]>(client, DEFINITIONS, { signal })
  const kinds = definitions.map(definedKind).filter(({ handler }) => handler !== undefined)
  const found = await Promise.all(kinds.map((kind) => listMetadata(client, kind, selection)))
  const plain = found.flatMap(names)
  // A name that two kinds share is prefixed with its kind.
  return found.flatMap((objects, at) =>
    names(objects).map((name) => {
      const twice = plain.filter((other) => other === name).length > 1
      return twice ? `${kinds[at]?.kind}/${name}` : name
    }),
  )
}

/** Plurals, with their group where another kind has the same. */
function kindNames({ all }: ServedKinds): string[] {
  const plurals = new Map<string, string>()
  for (const { plural, group, verbs } of all) {
    if (!verbs.includes('list')) continue
    const isTaken = (plurals.get(plural) ?? group) !== group
    plurals.set(isTaken ? `${plural}.${group}` : plural, group)
  }
  return [...plurals.keys()]
}

function names(objects: readonly ApiObject[]): string[] {
  return objects.map(({ metadata }) => metadata.name ?? '')
}

/** The server and the namespace from the words before; other options are ignored. */
function serverSaid(before: readonly string[], { env }: Terminal) {
  const said: string[] = []
  before.forEach((word, at) => {
    const [flag = ''] = word.split('=')
    if (!['--server', '--kubeconfig', '--namespace', '-n'].includes(flag)) return
    const next = before[at + 1]
    said.push(word, ...(word.includes('=') || next === undefined ? [] : [next]))
  })
  return parseOptions(colonyOptions, said, env).values
}
