// The rules for writes to graphs and their parts: the nodes are right as a whole when the graph is submitted, and stay.

import type { WriteRules } from '@homeostat/apiserver'
import { MAX_NODES_INLINE, type ProcessGraphPart, type ProcessGraphSpec } from '@homeostat/executor/graphs'
import { SCHEDULE_LABELS } from '@homeostat/executor/schedules'
import { deepEqual, type KubeObject } from '@homeostat/meta'
import { type Cause, forbiddenField, invalidValue, required, serviceUnavailable } from '@homeostat/meta/server'
import { checkGraph, type PlacedNode, placed } from '../graph/check-graph.ts'
import { amount } from '../queue/process-facts.ts'

/** Reads a committed part. */
export type FindPart = (namespace: string, name: string) => KubeObject | undefined

/** A graph is checked in one turn of the event loop: 52,000 nodes take an eighth of a second. */
const MAX_PARTS = 25

/** Only the colony makes graphs for a schedule, which removes them. */
const SCHEDULED = Object.values(SCHEDULE_LABELS)

/** `colony` is the user name of the colony itself; `running` is undefined until it has started. */
export function graphRules(colony: string, running: () => { readonly findPart: FindPart } | undefined): WriteRules {
  const findPart: FindPart = (namespace, name) => {
    const parts = running()
    if (parts === undefined) throw serviceUnavailable('the colony starts, and parts cannot be read yet: try again')
    return parts.findPart(namespace, name)
  }
  return {
    prepareForCreate(object, user) {
      if (user?.username !== colony) for (const label of SCHEDULED) delete object.metadata.labels?.[label]
      object.status = { phase: 'Waiting' }
    },
    validate: (object) => graphCauses(object, findPart),
    validateUpdate: (object, old, user) =>
      user?.username === colony ? [] : [...changeCauses(specOf(object), specOf(old)), ...labelCauses(object, old)],
  }
}

export const partRules: WriteRules = {
  validate({ spec }) {
    const { nodes } = spec as ProcessGraphPart['spec']
    return placed(nodes, 'spec.nodes').flatMap(demandCauses)
  },
  validateUpdate: ({ spec }, old) =>
    deepEqual(spec, old.spec) ? [] : [forbiddenField('spec', 'the nodes of a graph cannot be changed')],
}

function graphCauses(object: KubeObject, findPart: FindPart): Cause[] {
  const { nodes = [], parts = [] } = specOf(object)
  const { namespace = '', name = '' } = object.metadata
  if (nodes.length === 0 && parts.length === 0) {
    return [required('spec.nodes', `name the work, or parts with at most ${MAX_NODES_INLINE} nodes each`)]
  }
  if (parts.length > MAX_PARTS) return [invalidValue('spec.parts', parts.length, `must be at most ${MAX_PARTS}`)]
  const all: PlacedNode[] = placed(nodes, 'spec.nodes')
  for (const [index, part] of parts.entries()) {
    const found = findPart(namespace, part) as ProcessGraphPart | undefined
    if (found?.spec.graph !== name) {
      const why = found === undefined ? 'does not exist: create the parts before their graph' : 'is of another graph'
      return [invalidValue(`spec.parts[${index}]`, part, why)]
    }
    for (const one of placed(found.spec.nodes, `spec.parts[${index}].nodes`)) all.push(one)
  }
  const causes = placed(nodes, 'spec.nodes').flatMap(demandCauses)
  return [...causes, ...checkGraph(all).map(({ field, value, message }) => invalidValue(field, value, message))]
}

function changeCauses(spec: ProcessGraphSpec, old: ProcessGraphSpec): Cause[] {
  const names = new Set([...Object.keys(spec), ...Object.keys(old)]) as Set<keyof ProcessGraphSpec>
  return [...names].flatMap((name) => {
    if (name === 'ttlSecondsAfterFinished' || deepEqual(spec[name], old[name])) return []
    if (name !== 'cancel') return [forbiddenField(`spec.${name}`, 'cannot be changed; submit another graph')]
    return old.cancel ? [forbiddenField('spec.cancel', 'a cancel cannot be taken back')] : []
  })
}

function labelCauses({ metadata }: KubeObject, old: KubeObject): Cause[] {
  return SCHEDULED.filter((label) => metadata.labels?.[label] !== old.metadata.labels?.[label]).map((label) =>
    forbiddenField(`metadata.labels[${label}]`, 'says which schedule the colony made the graph for, and stays'),
  )
}

/** The schema allows any text as a quantity. */
function demandCauses({ node, field }: PlacedNode): Cause[] {
  return (['cpu', 'memory'] as const)
    .filter((name) => node.conditions[name] !== undefined && amount(node.conditions[name]) === undefined)
    .map((name) =>
      invalidValue(`${field}.conditions.${name}`, node.conditions[name], 'must be a quantity such as 2, 500m or 1Gi'),
    )
}

function specOf(object: KubeObject): ProcessGraphSpec {
  return object.spec as ProcessGraphSpec
}
