// The actions of a POST to a pod's binding or eviction. The server adds them to the types at start, because they write
// through the same Api as controllers.

import {
  conflict,
  internalError,
  invalid,
  type KubeObject,
  parseLabelSelector,
  rfc3339,
  setCondition,
} from '@homeostat/meta'
import { failure, notSupported, required, tooManyRequests } from '@homeostat/meta/server'
import type { Api, ResourceName } from '../registry/api.ts'
import type { ResourceType, Subresource } from '../registry/resource-type.ts'
import { selectorText } from '../registry/selector-text.ts'
import { typeWith } from '../registry/type-with.ts'
import { builtinType } from './builtin-kind.ts'
import { objectSchema } from './facts/object-schema.ts'
import { type Fields, fieldsOf, listOf, textOf } from './fields-of.ts'

const PODS: ResourceName = { group: '', resource: 'pods' }
const BUDGETS: ResourceName = { group: 'policy', resource: 'poddisruptionbudgets' }

/** `api` is called with the first action, when the server is complete. */
export function withPodActions(types: readonly ResourceType[], api: () => Api, now = Date.now): ResourceType[] {
  return types.map((type) => {
    if (type.group !== PODS.group || type.resource !== PODS.resource) return type
    const { others = {} } = type.subresources
    const acting = {
      binding: action(others.binding, bodyType('', 'Binding', 'core.v1.Binding'), (pod, body, _, dryRun) =>
        bind(pod, body, { api: api(), now: now(), dryRun }),
      ),
      eviction: action(others.eviction, bodyType('policy', 'Eviction', 'policy.v1.Eviction'), (pod, body, _, dryRun) =>
        evict(pod, body, { api: api(), now: now(), dryRun }),
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

/** Deletes the pod if its disruption budgets allow it. */
async function evict(pod: KubeObject, body: KubeObject, { api, now, ...asked }: Acting): Promise<KubeObject> {
  const { name = '', namespace = '', uid } = pod.metadata
  const options = fieldsOf(body.deleteOptions)
  const dryRun = asked.dryRun || listOf(options.dryRun).includes('All')
  if (pod.metadata.deletionTimestamp === undefined && !IDLE.includes(textOf(fieldsOf(pod.status).phase))) {
    const budget = budgetOf(pod, api)
    if (budget && !dryRun) await api.update(BUDGETS, spend(budget, name, now), 'status')
  }
  const grace = options.gracePeriodSeconds
  if (!dryRun) {
    await api.delete(
      PODS,
      { namespace, name },
      {
        ...(uid !== undefined && { preconditions: { uid } }),
        ...(typeof grace === 'number' && { gracePeriodSeconds: grace }),
      },
    )
  }
  return success()
}

/** Pods in these phases lose nothing, and no budget counts them. */
const IDLE = ['Pending', 'Succeeded', 'Failed']

function budgetOf(pod: KubeObject, api: Api): KubeObject | undefined {
  const [budget, other] = api.list(BUDGETS, pod.metadata.namespace).filter((one) => covers(fieldsOf(one.spec), pod))
  if (other) {
    throw internalError(
      'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.',
    )
  }
  return budget
}

function covers({ selector }: Fields, pod: KubeObject): boolean {
  return selector !== undefined && parseLabelSelector(selectorText(selector)).matches(pod.metadata.labels)
}

function spend(budget: KubeObject, pod: string, now: number): KubeObject {
  const status = fieldsOf(budget.status)
  const left = typeof status.disruptionsAllowed === 'number' ? status.disruptionsAllowed : 0
  const seen = typeof status.observedGeneration === 'number' ? status.observedGeneration : 0
  const text = "Cannot evict pod as it would violate the pod's disruption budget."
  if (seen < (budget.metadata.generation ?? 0)) throw tooManyRequests(text, 10)
  if (left < 0) throw failure(500, 'pdb disruptions allowed is negative')
  if (left === 0) throw tooManyRequests(text, 0)
  const disruptedPods = { ...fieldsOf(status.disruptedPods), [pod]: rfc3339(now) }
  return { ...budget, status: { ...status, disruptionsAllowed: left - 1, disruptedPods } }
}

function success(): KubeObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}
