// A control plane with the guide's MyResource, for the checks of seed 002.

import type { LooseObject } from '@homeostat/client'
import { type TestEnv, testEnv } from '@homeostat/testing'
import { onTestFinished } from 'vitest'
import { customResources } from '../my-resource/src/custom-resources/custom-resources.ts'

const place = { name: 'my-app', namespace: 'default' }
export const myApp = { apiVersion: 'homelab.mortenolsen.pro/v1', kind: 'MyResource', ...place }
export const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ...place } as const
export const service = { apiVersion: 'v1', kind: 'Service', ...place } as const

export async function guideServer(options: { readonly listen?: boolean } = {}): Promise<TestEnv> {
  const env = await testEnv(options)
  onTestFinished(() => env.close())
  await env.run(customResources, { name: 'my-resource' }).ready
  return env
}

/** The guide's example, or a change of it. */
export function manifest(spec: object = {}) {
  const { apiVersion, kind } = myApp
  const database = { host: 'postgres.default.svc.cluster.local', port: 5432, name: 'myapp' }
  const printed = { hostname: 'my-app.example.com', port: 8080, replicas: 3, protocol: 'https', database }
  return { apiVersion, kind, metadata: place, spec: { ...printed, ...spec } }
}

/** In the place of the controller of Deployments. */
export async function podsAreReady({ client }: TestEnv, count = 3): Promise<void> {
  const status = { replicas: count, readyReplicas: count, updatedReplicas: count, observedGeneration: 1 }
  await client.resource('apps/v1', 'Deployment').status.patch(place, { status })
}

export function conditionsOf(object: LooseObject): Record<string, string> {
  const all = object.status?.conditions ?? []
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}
