// `-mode submit`: creates a resource in its colony, or updates the existing one.

import type { ApiObject, Client } from '@homeostat/client'
import { readDeploymentSpec, unreachableServer } from '@homeostat/executor-deployment'
import type { Document } from './document.ts'
import type { Settings } from './settings.ts'

export async function submit(
  client: Client,
  document: Document,
  { colony, isColonyGiven, server }: Settings,
  say: (line: string) => void,
): Promise<ApiObject> {
  const { apiVersion, kind, metadata } = document
  const namespace = metadata.namespace ?? colony
  if (isColonyGiven && namespace !== colony) {
    throw new Error(
      `${metadata.name} is for ${namespace}, and COLONIES_COLONY_NAME says ${colony}: make them the same, or leave one out`,
    )
  }
  if (!(await client.discover(apiVersion, kind))) {
    throw new Error(`the server knows no ${kind} of ${apiVersion}: register its definition first (-mode register-crd)`)
  }
  say('Resource Details:')
  say(`  API Version: ${apiVersion}`)
  say(`  Kind: ${kind}`)
  say(`  Name: ${metadata.name}`)
  say(`  Namespace: ${namespace}`)
  const resources = client.resourceOf<Document>(apiVersion, kind)
  const before = await resources.find({ name: metadata.name ?? '', namespace })
  if (before?.metadata.deletionTimestamp !== undefined) {
    throw new Error(`${kind}/${metadata.name} is being deleted: submit it again when it is gone`)
  }
  const wanted = { ...document, metadata: { ...metadata, namespace } }
  const { status: _, ...sent } = wanted as Document & { status?: unknown }
  const after = await resources.apply(sent, { fieldManager: 'crd-example', force: true })
  say(`✓ ${kind}/${metadata.name} ${outcome(before, after)} (generation ${after.metadata.generation})`)
  const reading = kind === 'ExecutorDeployment' ? readDeploymentSpec(document.spec) : undefined
  const warning = reading && 'spec' in reading ? unreachableServer(reading.spec, server) : undefined
  if (warning !== undefined) say(`Warning: ${warning}`)
  return after
}

function outcome(before: ApiObject | undefined, after: ApiObject): string {
  if (before === undefined) return 'created'
  return before.metadata.generation === after.metadata.generation ? 'unchanged' : 'changed'
}
