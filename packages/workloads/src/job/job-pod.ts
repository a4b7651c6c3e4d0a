// Builds a pod of a job from its template. Pure.

import type { Container, Job, Pod } from '../kinds.ts'
import { controllerReference } from '../ownership/claim-plan.ts'
import { TRACKING } from './job-count.ts'
import { INDEX } from './job-indexes.ts'

/** `index` is for an indexed job: the pod gets it as annotation, label, host name and environment variable. */
export function jobPod(job: Job, index: number | undefined): Pod {
  const { metadata = {}, spec = {} } = job.spec?.template ?? {}
  const { name = '', namespace } = job.metadata
  const indexed = index === undefined ? {} : { [INDEX]: String(index) }
  const labels = { ...metadata.labels, ...indexed }
  const annotations = { ...metadata.annotations, ...indexed }
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      generateName: index === undefined ? `${name}-` : `${name}-${index}-`,
      ...(namespace !== undefined && { namespace }),
      labels,
      ...(Object.keys(annotations).length > 0 && { annotations }),
      finalizers: [...(metadata.finalizers ?? []), TRACKING],
      ownerReferences: [controllerReference(job)],
    },
    spec: index === undefined ? spec : { ...spec, hostname: `${name}-${index}`, ...containersWithIndex(spec) },
  }
}

function containersWithIndex({ containers = [], initContainers }: NonNullable<Pod['spec']>): Partial<Pod['spec']> {
  return {
    containers: containers.map(withIndex),
    ...(initContainers && { initContainers: initContainers.map(withIndex) }),
  }
}

function withIndex(container: Container): Container {
  const { env = [] } = container
  if (env.some(({ name }) => name === VARIABLE)) return container
  const valueFrom = { fieldRef: { fieldPath: `metadata.labels['${INDEX}']` } }
  return { ...container, env: [...env, { name: VARIABLE, valueFrom }] }
}

const VARIABLE = 'JOB_COMPLETION_INDEX'
