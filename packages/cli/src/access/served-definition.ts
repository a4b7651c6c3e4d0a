// Waits until the kind of a definition is served, so that its resources can be written.

import type { ApiObject } from '@homeostat/client'
import { conditionOf } from '../output/cells.ts'
import type { Terminal } from '../terminal.ts'
import { type Definition, isEstablished } from './definitions.ts'
import type { Session } from './session.ts'
import { waitFor } from './wait.ts'

export interface WrittenDefinition {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
}

/** The colony validates a definition of colonies.io first, and may refuse it. */
export async function waitUntilServed(
  session: Session,
  terminal: Terminal,
  { apiVersion, kind, name }: WrittenDefinition,
  timeout: number,
): Promise<{ readonly definition: Definition } | { readonly refusal: string }> {
  const selection = { fieldSelector: `metadata.name=${name}` }
  if (apiVersion === 'colonies.io/v1') {
    const refusal = await waitFor<ApiObject, string | undefined>(session, terminal, {
      ...{ apiVersion, kind, selection, timeout },
      look([definition]) {
        const accepted = definition && conditionOf(definition, 'Accepted')
        if (accepted?.status === 'True') return { done: undefined }
        if (accepted?.status !== 'False') return { waiting: `${name} was created; the colony has to make a kind of it` }
        if (accepted.reason === 'Terminating') return { waiting: `${name} was created: ${accepted.message}` }
        return { done: `${accepted.reason}: ${accepted.message}` }
      },
    })
    if (refusal !== undefined) return { refusal }
  }
  const definition = await waitFor<Definition, Definition>(session, terminal, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    selection,
    timeout,
    look([definition]) {
      if (definition !== undefined && isEstablished(definition)) return { done: definition }
      return { waiting: `${name} was created; its kind is not served yet` }
    },
  })
  return { definition }
}
