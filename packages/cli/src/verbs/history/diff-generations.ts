// `homeostat diff TYPE NAME --from G --to G`: what changed between two generations, as a unified diff. Without --to it compares
// with the current state.

import type { ApiObject } from '@homeostat/client'
import { comparable } from '@homeostat/meta/history'
import { generationOf, readHistory } from '../../access/history.ts'
import { findObject } from '../../access/objects.ts'
import { typeName } from '../../access/served-kinds.ts'
import type { Session } from '../../access/session.ts'
import { Fault } from '../../fault.ts'
import { namedObject } from './named-object.ts'

export interface Sides {
  readonly before: ApiObject
  readonly after: ApiObject
  readonly names: readonly [string, string]
}

export async function generationSides(
  operands: readonly string[],
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
  session: Session,
): Promise<Sides> {
  if (from === undefined)
    throw new Fault('name the generation to compare with: homeostat diff TYPE NAME --from G [--to G]')
  const named = await namedObject(operands, session, 'diff')
  const { kind, namespace = '', name } = named
  const found = await readHistory(session.client, named)
  const live = to === undefined ? await findObject(session.client, kind, namespace, name) : undefined
  if (to === undefined && live === undefined) throw new Fault(`${name} is gone; name both: --from G --to G`)
  const title = `${typeName(kind)}/${name}`
  return {
    before: comparable(generationOf(found, from, name).object),
    after: comparable(live ?? generationOf(found, to ?? '', name).object),
    names: [`${title} generation ${from}`, to === undefined ? `${title} now` : `${title} generation ${to}`],
  }
}
