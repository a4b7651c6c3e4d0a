// The actions of a POST to a pod's binding or eviction. The server adds them to the types at start, because they write
// through the same Api as controllers.

import { conflict, invalid, type KubeObject, setCondition } from '@homeostat/meta'
import { notSupported, required } from '@homeostat/meta/server'
import type { Api, ResourceName } from '../registry/api.ts'
import type { ResourceType, Subresource } from '../registry/resource-type.ts'
import { typeWith } from '../registry/type-with.ts'
import { builtinType } from './builtin-kind.ts'
import { objectSchema } from './facts/object-schema.ts'
import { fieldsOf, listOf, textOf } from './fields-of.ts'
import { evict } from './pod-eviction.ts'

const PODS: ResourceName = { group: '', resource: 'pods' }

/** `api` is called with the first action, when the server is complete. */
export function withPodActions(types: readonly ResourceType[], api: () => Api, now = Date.now): ResourceType[] {
  return types.map((type) => {
    if (type.group !== PODS.group || type.resource !== PODS.resource) return type
    const { others = {} } = type.subresources
    const acting = {
      binding: action(others.binding, bodyType('', 'Binding', 'core.v1.Binding'), (pod, body, _, dryRun) =>
        bind(pod, body, { api: api(), now: now(), dryRun }),
      ),
      eviction: action(
        others.eviction,
        bodyType('policy', 'Eviction', 'policy.v1.Eviction'),
        async (pod, body, _, dryRun) => {
          await evict(pod, body, { api: api(), now: now(), dryRun })
          return success()
        },
      ),
    }
    return typeWith(type, { subresources: { ...type.subresources, others: { ...others, ...acting } } })
  })
}

function action(row: Subresource | undefined, body: ResourceType, act: NonNullable<Subresource['act']>): Subresource {
  // The rules for updates of pods do not apply to what an action changes.
  return { verbs: ['create'], ...row, body, act, validateUpdate: () => [] }
}

function bodyType(group: string, kind: string, schema: string): ResourceType {
  return builtinType({
    group,
    kind,
    resource: 'pods',
    namespaced: true,
    columns: [],
    schema: () => objectSchema(schema),
    rules: { nameErrors: () => [] },
  })
}

interface Acting {
  readonly api: Api
  readonly now: number
  readonly dryRun: boolean
}

async function bind(pod: KubeObject, body: KubeObject, { api, now, dryRun }: Acting): Promise<KubeObject> {
  const target = fieldsOf(body.target)
  const node = textOf(target.name)
  const kind = textOf(target.kind)
  const name = pod.metadata.name ?? ''
  const causes = [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(node === '' ? [required('target.name', '')] : []),
  ]
  if (causes.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, causes)
  const spec = fieldsOf(pod.spec)
  const refuse = (reason: string) => conflict({ group: '', resource: 'pods/binding' }, name, reason)
  if (pod.metadata.deletionTimestamp !== undefined)
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (textOf(spec.nodeName) !== '') throw refuse(`pod ${name} is already assigned to node "${textOf(spec.nodeName)}"`)
  if (dryRun) return success()
  const status = fieldsOf(pod.status)
  const { annotations: added } = body.metadata
  const scheduled = { type: 'PodScheduled', status: 'True' as const, reason: '', message: '' }
  const conditions = setCondition(listOf(status.conditions) as Parameters<typeof setCondition>[0], scheduled, now)
  await api.update(
    PODS,
    {
      ...pod,
      metadata: { ...pod.metadata, ...(added && { annotations: { ...pod.metadata.annotations, ...added } }) },
      spec: { ...spec, nodeName: node },
      status: { ...status, conditions: conditions.map((one) => ({ lastProbeTime: null, ...one })) },
    },
    'binding',
  )
  return success()
}

function success(): KubeObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}
