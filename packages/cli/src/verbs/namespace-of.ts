// The namespace of an object in a file. The verbs that read files call it.

import type { Document } from '../access/documents.ts'
import type { Session } from '../access/session.ts'
import { Fault } from '../fault.ts'
import type { Terminal } from '../terminal.ts'

/** The namespace in the object counts. A flag that differs is a mistake; an environment variable is only a default. */
export function namespaceOf(
  { kind, metadata }: Document,
  values: { readonly namespace?: string | undefined },
  session: Session,
  { env }: Terminal,
): string {
  const { namespace, name } = metadata
  const said = values.namespace === env.COLONIES_COLONY_NAME ? undefined : values.namespace
  if (namespace !== undefined && said !== undefined && namespace !== said) {
    throw new Fault(`${kind}/${name} says that it belongs to ${namespace}; leave -n ${said} out, or change the file`)
  }
  return namespace ?? session.namespace
}
