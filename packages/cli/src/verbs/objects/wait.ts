// `homeostat wait TYPE/NAME --for=condition=Ready`: waits until objects meet a condition, exist, or are gone.

import { systemClock } from '@homeostat/base'
import type { ApiObject } from '@homeostat/client'
import { findObject, readObject } from '../../access/objects.ts'
import { typeName } from '../../access/served-kinds.ts'
import { type Session, withServer } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import type { waitOptions } from '../../options/option-groups.ts'
import type { Values } from '../../options/option-table.ts'
import type { Terminal } from '../../terminal.ts'
import { type Awaited, awaitedOf, isMetBy } from './awaited.ts'
import { namedObjects } from './named-objects.ts'
import { Problems } from './problems.ts'
import { type NamedReference, referencesOf } from './references.ts'
import { until } from './until.ts'

type WaitValues = Values<(typeof waitOptions)[number]>

export async function wait(values: WaitValues, operands: readonly string[], terminal: Terminal): Promise<number> {
  const awaited = awaitedOf(values.for ?? '')
  if (operands.length === 0 && values.filename.length === 0) {
    throw new Fault('You must provide one or more resources by argument or filename: TYPE/NAME, or -f FILE')
  }
  const { clock = systemClock } = terminal
  const end = clock.now() + values['wait-timeout']
  return withServer(values, terminal, async (session) => {
    const problems = new Problems(terminal, session.url)
    const references = await referencesOf(values, operands, { session, terminal, problems })
    const objects = await namedObjects(references, values, session)
    const isDeletion = awaited.kind === 'delete'
    if (objects.length === 0 && problems.exitCode === 0 && !isDeletion) throw new Fault('no matching resources found')
    for (const object of objects) {
      await problems.attempt(async () => {
        const left = values['wait-timeout'] === 0 ? 0 : Math.max(1, end - clock.now())
        if (await waitForOne(session, terminal, object, { awaited, left })) {
          terminal.out(`${typeName(object.kind)}/${object.name} condition met\n`)
        }
      })
    }
    return problems.exitCode
  })
}

/** False when there was nothing to wait for: the object was gone before. */
async function waitForOne(
  session: Session,
  terminal: Terminal,
  object: NamedReference,
  { awaited, left }: { readonly awaited: Awaited; readonly left: number },
): Promise<boolean> {
  const { kind, namespace = '', name } = object
  const mayMiss = awaited.kind === 'create' || awaited.kind === 'delete'
  const read = mayMiss ? findObject : readObject
  const now: ApiObject | undefined = await read(session.client, kind, namespace, name)
  if (awaited.kind === 'delete' && now === undefined) return false
  if (isMetBy(awaited, now)) return true
  if (left === 0) throw new Fault(`condition not met for ${kind.plural}/${name}`)
  const uid = now?.metadata.uid
  const isMet = (current: ApiObject | undefined) =>
    // An object that was made anew under the name is another one.
    awaited.kind === 'delete' ? current?.metadata.uid !== uid : isMetBy(awaited, current)
  await until(session, terminal, object, { timeout: left, isMet })
  return true
}
