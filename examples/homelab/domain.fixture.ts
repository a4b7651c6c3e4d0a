// A control plane with Domains, and a person in the place of cert-manager.

import type { LooseObject } from '@homeostat/client'
import type { Running } from '@homeostat/operator'
import { type ApiManifest, type TestEnv, testEnv } from '@homeostat/testing'
import { onTestFinished } from 'vitest'
import { certificates, gateways } from './definitions/definitions.ts'
import { certificateNameOf } from './src/custom-resources/domain/domain.create-manifests.ts'
import { domainDefinition } from './src/custom-resources/domain/domain.ts'
import { GROUP } from './src/group.ts'

export const apiVersion = `${GROUP}/v1`

export function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

export function domain(name = 'homelab', spec: object = {}, place = 'homelab') {
  return {
    apiVersion,
    kind: 'Domain',
    metadata: { name, namespace: place },
    spec: { hostname: `${name}.olsen.cloud`, issuer: 'letsencrypt-prod', ...spec },
  }
}

export const domainRef = (name = 'homelab', place = 'homelab') => ({
  apiVersion,
  kind: 'Domain',
  name,
  namespace: place,
})
export const gatewayRef = (name = 'homelab', place = 'homelab') =>
  ({ apiVersion: 'networking.istio.io/v1', kind: 'Gateway', name, namespace: place }) as const
export const certificateRef = (name = 'homelab', place = 'homelab', ingress = 'istio-ingress') => ({
  apiVersion: 'cert-manager.io/v1',
  kind: 'Certificate',
  name: certificateNameOf({ name, namespace: place }),
  namespace: ingress,
})

/** As cert-manager does once the issuer has answered. */
export async function issue(env: TestEnv, ref = certificateRef()): Promise<void> {
  await env.until(ref, () => true)
  const conditions = [{ type: 'Ready', status: 'True', reason: 'Ready', message: 'Certificate is up to date' }]
  await env.client.resourceOf<LooseObject>(ref.apiVersion, ref.kind).status.patch(ref, { status: { conditions } })
}

export function conditions(object: LooseObject): Record<string, string> {
  const all = object.status?.conditions ?? []
  return Object.fromEntries(all.map(({ type, status, reason }) => [type, `${status} ${reason}`]))
}

export function untilDomain(env: TestEnv, type: string, wanted: string, ref = domainRef()): Promise<LooseObject> {
  return env.until<LooseObject>(ref, (object) => conditions(object)[type] === wanted)
}

export async function domainEnv(
  definitions: readonly ApiManifest[] = [certificates, gateways],
): Promise<TestEnv & { readonly operating: Running }> {
  const env = await testEnv()
  onTestFinished(() => env.close())
  await env.apply(namespace('homelab'), namespace('istio-ingress'), ...definitions)
  const operating = env.run(domainDefinition, { name: 'homelab' })
  await operating.ready
  return { ...env, operating }
}
