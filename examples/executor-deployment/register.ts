// `-mode register-crd`: registers the definition of a kind and waits until the server serves it.

import { setTimeout as pause } from 'node:timers/promises'
import type { ApiObject, Client, Condition } from '@homeostat/client'
import type { Document } from './document.ts'

interface Definition extends ApiObject {
  spec: {
    group: string
    version: string
    names: { kind: string }
    handler?: { executorType?: string; functionName?: string }
  }
  status?: { observedGeneration?: number; conditions?: Condition[] }
}

const SERVED_MS = 60_000

export async function register(client: Client, document: Document, say: (line: string) => void): Promise<void> {
  const { metadata, spec } = document as Document & Definition
  if (!spec?.group || !spec.names?.kind)
    throw new Error(`${metadata.name} is no definition: it needs spec.group and spec.names`)
  say('ResourceDefinition Details:')
  say(`  Name: ${metadata.name}`)
  say(`  Group: ${spec.group}`)
  say(`  Version: ${spec.version}`)
  say(`  Kind: ${spec.names.kind}`)
  say(`  Handler Type: ${spec.handler?.executorType ?? 'none'}`)
  say(`  Handler Function: ${spec.handler?.functionName ?? 'none'}`)
  const definitions = client.resourceOf<Definition>(document.apiVersion, document.kind)
  const before = await definitions.find({ name: metadata.name ?? '' })
  const after = await definitions.apply(document as Definition, { fieldManager: 'crd-example', force: true })
  const refusal = await untilServed(client, document as Definition)
  if (refusal !== undefined) {
    // Deletes only a definition that it created itself.
    if (before === undefined) await definitions.delete({ name: metadata.name ?? '' })
    throw new Error(`${metadata.name} is not accepted: ${refusal}`)
  }
  if (before !== undefined && before.metadata.generation !== after.metadata.generation) {
    say('  Another definition was in force until now, and is replaced by this one')
  }
  say('✓ ResourceDefinition registered successfully')
}

/** Returns why the colony refuses the definition. */
async function untilServed(
  client: Client,
  { apiVersion, kind, metadata, spec }: Definition,
): Promise<string | undefined> {
  const definitions = client.resourceOf<Definition>(apiVersion, kind)
  for (const until = Date.now() + SERVED_MS; Date.now() < until; await pause(20)) {
    const { status, metadata: now } = await definitions.get({ name: metadata.name ?? '' })
    const accepted = status?.conditions?.find(({ type }) => type === 'Accepted')
    if (accepted === undefined || (status?.observedGeneration ?? 0) < (now.generation ?? 0)) continue
    if (accepted.status === 'False' && accepted.reason === 'Terminating') continue
    if (accepted.status === 'False') return accepted.message
    if (await client.discover(`${spec.group}/${spec.version}`, spec.names.kind)) return undefined
  }
  throw new Error(
    `${metadata.name} was stored, but the server does not serve ${spec.names.kind} yet: look at its conditions`,
  )
}
