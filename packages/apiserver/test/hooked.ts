// What tests of admission webhooks share: a server with a kind, a configuration for a webhook of the test.

import { expect } from 'vitest'
import type { Body } from './body.ts'
import { job, jobDefinition } from './jobs.ts'
import { serveForTest } from './server.ts'
import { type Answer, type TestWebhook, webhookServer } from './webhook-server.ts'

export const ADMISSION = '/apis/admissionregistration.k8s.io/v1'
export const URL = '/apis/ex.io/v1/namespaces/default/jobs'
export const V2 = '/apis/ex.io/v2/namespaces/default/jobs'
export const RULE = { operations: ['*'], apiGroups: ['ex.io'], apiVersions: ['*'], resources: ['jobs', 'jobs/*'] }

export type Server = Awaited<ReturnType<typeof serve>>

export const serve = (more: object = {}) => serveForTest({ definitions: [jobDefinition()], ...more })

export async function configure(
  server: Server,
  kind: 'mutating' | 'validating',
  hook: Pick<TestWebhook, 'url' | 'caBundle'>,
  more: Record<string, unknown> = {},
  name: string = kind,
) {
  const { caBundle, url } = hook
  const webhook = {
    name: `${name}.hooks.test`,
    clientConfig: { url, caBundle },
    rules: [RULE],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    ...more,
  }
  const made = await server.post(`${ADMISSION}/${kind}webhookconfigurations`, {
    metadata: { name },
    webhooks: [webhook],
  })
  expect([made.status, made.headers.get('warning')]).toEqual([201, null])
}

/** A server with one webhook. */
export async function hooked(kind: 'mutating' | 'validating', answer: Answer, more: Record<string, unknown> = {}) {
  const server = await serve()
  const hook = await webhookServer(answer)
  await configure(server, kind, hook, more)
  return { server, hook }
}

export const labelled = (name: string, labels: object) => ({
  ...job(name),
  metadata: { ...job(name).metadata, labels },
})

/** The object of a call. */
export function seen(hook: TestWebhook, call = 0): Body {
  return hook.calls[call]?.request.object as Body
}
