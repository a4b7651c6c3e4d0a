// Deployments and replica sets for the tests of plans, and a simulation that carries out a plan's actions at once.

import type { Deployment, ReplicaSet } from '../kinds.ts'
import { planRollout, type RolloutAction, type RolloutPlan } from './rollout-plan.ts'

export const NOW = Date.parse('2026-01-01T00:00:00Z')

export function deployment(spec: Deployment['spec'] = {}, image = 'web:1'): Deployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'd', generation: 1 },
    spec: {
      replicas: 3,
      selector: { matchLabels: { app: 'web' } },
      template: template(image),
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
      revisionHistoryLimit: 10,
      progressDeadlineSeconds: 600,
      ...spec,
    },
  }
}

export function template(image: string) {
  return { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image }] } }
}

/** A simulation in which replica sets get their pods when the test says so. */
export class RolloutWorld {
  deployment: Deployment
  sets: ReplicaSet[] = []
  now = NOW
  /** Names of sets whose pods have not gone yet. */
  readonly lingering = new Set<string>()
  #created = 0

  constructor(first: Deployment) {
    this.deployment = first
  }

  /** Plans, and carries out everything except the creation of pods. */
  step(): RolloutPlan {
    const hasPods = (set: ReplicaSet) => (set.status?.replicas ?? 0) > 0 || this.lingering.has(set.metadata.name ?? '')
    const plan = planRollout({ deployment: this.deployment, sets: this.sets, hasPods, now: this.now })
    for (const action of plan.actions) this.#carryOut(action)
    this.deployment = { ...this.deployment, status: plan.status }
    return plan
  }

  /** Gives every set the pods it wants; those of the images given never become available. */
  makePods(broken: readonly string[] = []): void {
    this.sets = this.sets.map((set) => {
      const replicas = set.spec?.replicas ?? 0
      const image = set.spec?.template?.spec?.containers?.[0]?.image ?? ''
      const up = broken.includes(image) ? 0 : replicas
      const observedGeneration = set.metadata.generation ?? 0
      return { ...set, status: { replicas, readyReplicas: up, availableReplicas: up, observedGeneration } }
    })
  }

  /** Steps until nothing changes; returns the actions in order. */
  settle(broken: readonly string[] = [], onStep: () => void = () => {}): RolloutAction[] {
    const actions: RolloutAction[] = []
    for (let steps = 0; steps < 200; steps++) {
      const before = JSON.stringify([this.deployment, this.sets])
      actions.push(...this.step().actions)
      onStep()
      this.makePods(broken)
      onStep()
      if (JSON.stringify([this.deployment, this.sets]) === before) return actions
    }
    throw new Error('the rollout never settles')
  }

  change(spec: Deployment['spec']): void {
    const { metadata } = this.deployment
    this.deployment = {
      ...this.deployment,
      metadata: { ...metadata, generation: (metadata.generation ?? 0) + 1 },
      spec: { ...this.deployment.spec, ...spec },
    }
  }

  sizes(): Record<string, number> {
    return Object.fromEntries(
      this.sets.map(({ spec }) => [spec?.template?.spec?.containers?.[0]?.image ?? '', spec?.replicas ?? 0]),
    )
  }

  #carryOut(action: RolloutAction): void {
    if (action.do === 'number') {
      const annotations = {
        ...this.deployment.metadata.annotations,
        'deployment.kubernetes.io/revision': action.revision,
      }
      this.deployment = { ...this.deployment, metadata: { ...this.deployment.metadata, annotations } }
    } else if (action.do === 'create') {
      this.#created++
      const creationTimestamp = new Date(NOW + this.#created * 1000).toISOString()
      const metadata = { ...action.set.metadata, uid: `s${this.#created}`, creationTimestamp, generation: 1 }
      this.sets = [...this.sets, { ...action.set, metadata }]
    } else if (action.do === 'delete') {
      this.sets = this.sets.filter(({ metadata }) => metadata.uid !== action.set.metadata.uid)
    } else {
      const { replicas, minReadySeconds, annotations } = action
      this.sets = this.sets.map((set) => {
        if (set.metadata.uid !== action.set.metadata.uid) return set
        return {
          ...set,
          metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...annotations } },
          spec: {
            ...set.spec,
            ...(replicas !== undefined && { replicas }),
            ...(minReadySeconds !== undefined && { minReadySeconds }),
          },
        }
      })
    }
  }
}
