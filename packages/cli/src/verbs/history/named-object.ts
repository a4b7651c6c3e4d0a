// The one object that a verb names: TYPE NAME, or TYPE/NAME.

import type { HistoryOf } from '../../access/history.ts'
import { ServedKinds } from '../../access/served-kinds.ts'
import type { Session } from '../../access/session.ts'
import { usageFault } from '../../fault.ts'

export async function namedObject(operands: readonly string[], session: Session, verb: string): Promise<HistoryOf> {
  const words = operands.length === 1 ? (operands[0] ?? '').split('/') : operands
  const [type = '', name = '', ...more] = words
  if (type === '' || name === '' || more.length > 0) throw usageFault(`name one object: homeostat ${verb} TYPE NAME`)
  const kind = (await ServedKinds.read(session.client)).one(type)
  return { kind, namespace: kind.namespaced ? session.namespace : undefined, name }
}
