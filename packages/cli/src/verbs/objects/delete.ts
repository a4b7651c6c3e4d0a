// `homeostat delete TYPE NAME...`: deletes objects by name, by labels or of files, and waits until they are gone.

import type { Client } from '@homeostat/client'
import { writeJson } from '@homeostat/meta'
import { isMissing } from '../../access/failure.ts'
import { findObject } from '../../access/objects.ts'
import { objectPath } from '../../access/paths.ts'
import { typeName } from '../../access/served-kinds.ts'
import { withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { deleteOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { namedObjects } from './named-objects.ts'
import { Problems } from './problems.ts'
import { type NamedReference, referencesOf } from './references.ts'
import { until } from './until.ts'

type DeleteValues = Values<(typeof deleteOptions)[number]>

interface Deleted extends NamedReference {
  readonly uid: string | undefined
}

const AT_ONCE =
  'Immediate deletion does not wait for confirmation that the running resource has been terminated. ' +
  'The resource may continue to run on the cluster indefinitely.'

export async function deleteObjects(
  values: DeleteValues,
  operands: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (operands.length === 0 && values.filename.length === 0) {
    throw new Fault('You must provide one or more resources by argument or filename: TYPE NAME, or -f FILE')
  }
  if (values.all && values.selector !== undefined) {
    throw new Fault("setting 'all' parameter but found a non empty selector.")
  }
  if (values['delete-force']) terminal.error(`Warning: ${AT_ONCE}\n`)
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const references = await referencesOf(values, operands, { session, terminal, problems })
    const objects = (await namedObjects(references, values, session)).toSorted((a, b) => rank(a) - rank(b))
    const deleted: Deleted[] = []
    for (const object of objects) {
      await problems.attempt(async () => {
        const uid = await deleteOne(session.client, object, values)
        if (uid === undefined) return
        terminal.out(deletedText(object, values))
        deleted.push({ ...object, uid })
      }, object.where)
    }
    if (objects.length === 0 && problems.exitCode === 0) terminal.out('No resources found\n')
    if (values['dry-run'] !== 'none' || !values['wait-deleted']) return problems.exitCode
    for (const object of deleted) {
      await problems.attempt(async () => {
        const { kind, namespace = '', name, uid } = object
        const isMet = (left: { readonly metadata: { readonly uid?: string } } | undefined) => left?.metadata.uid !== uid
        if (isMet(await findObject(session.client, kind, namespace, name))) return
        await until(session, terminal, object, { timeout: values.timeout || undefined, metadataOnly: true, isMet })
      })
    }
    return problems.exitCode
  })
}

/** What others are in goes last: a definition, and then a namespace, would take them with it. */
function rank({ kind }: NamedReference): number {
  return ['ResourceDefinition', 'CustomResourceDefinition', 'Namespace'].indexOf(kind.kind)
}

/** The uid, or undefined when the object does not exist and need not. */
async function deleteOne(
  client: Client,
  { kind, namespace = '', name }: NamedReference,
  values: DeleteValues,
): Promise<string | undefined> {
  const options = {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy: POLICIES[values['delete-cascade']],
    gracePeriodSeconds: gracePeriod(values),
    ...(values['dry-run'] === 'server' && { dryRun: ['All'] }),
  }
  try {
    const path = objectPath(kind, namespace, name)
    const request =
      values['dry-run'] === 'client'
        ? { method: 'GET', path }
        : { method: 'DELETE', path, headers: { 'content-type': 'application/json' }, body: writeJson(options) }
    const answer = (await client.requestJson(request)) as { details?: { uid?: string }; metadata?: { uid?: string } }
    return answer.details?.uid ?? answer.metadata?.uid ?? ''
  } catch (error) {
    if (values['ignore-not-found'] && isMissing(error)) return undefined
    throw error
  }
}

const POLICIES = { background: 'Background', foreground: 'Foreground', orphan: 'Orphan' } as const

/** Without --force no Pod is killed at once, as with kubectl. */
function gracePeriod(values: DeleteValues): number | undefined {
  const { now, 'delete-force': force, 'grace-period': said = -1 } = values
  if (now) return 1
  if (force) return Math.max(0, said)
  return said < 0 ? undefined : Math.max(1, said)
}

const DRY = { none: '', server: ' (server dry run)', client: ' (dry run)' } as const

function deletedText({ kind, name }: NamedReference, values: DeleteValues): string {
  if (values['delete-output'] === 'name') return `${typeName(kind)}/${name}\n`
  const word = values['delete-force'] ? 'force deleted' : 'deleted'
  return `${typeName(kind)} "${name}" ${word}${DRY[values['dry-run']]}\n`
}
