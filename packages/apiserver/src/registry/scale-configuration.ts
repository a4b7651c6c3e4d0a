// Translates the apply configuration of a Scale into one of the scaled object.

import { badRequest, type KubeObject } from '@homeostat/meta'
import { apiVersionOf } from './decode-object.ts'
import type { WriteRequest } from './write-request.ts'

export function scaleConfiguration(request: WriteRequest, scale: KubeObject, specReplicas: string): KubeObject {
  const { type, name = '', namespace } = request
  if (scale.apiVersion !== 'autoscaling/v1' || scale.kind !== 'Scale')
    throw badRequest('the body must be an autoscaling/v1 Scale')
  const metadata = { ...scale.metadata, name, ...(namespace !== undefined && { namespace }) }
  const config: KubeObject = { apiVersion: apiVersionOf(type), kind: type.kind, metadata }
  const replicas = (scale.spec as { replicas?: unknown } | undefined)?.replicas
  if (replicas === undefined) return config
  const parts = specReplicas.split('.').filter(Boolean)
  const last = parts.pop() ?? ''
  let parent: Record<string, unknown> = config
  for (const part of parts) {
    const inner: Record<string, unknown> = {}
    parent[part] = inner
    parent = inner
  }
  parent[last] = replicas
  return config
}
