// A definition with two versions that only a webhook converts: v1 has `spec.address`, v2 has `spec.host` and `spec.port`.

import type { Body } from './body.ts'
import { definition, GROUP, version } from './definitions.ts'
import { type Answer, DEFINITIONS, type TestServer } from './server.ts'
import type { Call, TestWebhook } from './webhook-server.ts'

const text = { type: 'string' }

interface Host extends Body {
  spec: { address?: string; host?: string; port?: number }
}

interface Conversion {
  uid: string
  desiredAPIVersion: string
  objects: Host[]
}

/** Answers a ConversionReview. */
export function convertHosts({ body, request }: Call): object {
  const { uid, desiredAPIVersion, objects } = request as unknown as Conversion
  const convertedObjects = objects.map((object) => converted(object, desiredAPIVersion))
  return {
    apiVersion: body.apiVersion,
    kind: 'ConversionReview',
    response: { uid, result: { status: 'Success' }, convertedObjects },
  }
}

function converted(object: Host, apiVersion: string): object {
  if (object.apiVersion === apiVersion) throw new Error('a conversion into the version that it is in')
  const { address = '', host = '', port = 0, ...rest } = object.spec ?? {}
  const [first, second] = address.split(':')
  const spec = apiVersion.endsWith('v2') ? { host: first ?? '', port: Number(second) } : { address: `${host}:${port}` }
  return { ...object, apiVersion, spec: { ...rest, ...spec } }
}

export function hosts(hook: TestWebhook, { v1, v2, storage }: { v1?: object; v2?: object; storage: string }) {
  const versions = [
    version('v1', { spec: { address: text, extra: text }, storage: storage === 'v1', ...v1 }),
    version('v2', {
      spec: { host: text, port: { type: 'integer' }, extra: { ...text, default: 'given' } },
      storage: storage === 'v2',
      ...v2,
    }),
  ]
  const made = definition({ plural: 'hosts', versions }) as { spec: object }
  const clientConfig = { url: hook.url, caBundle: hook.caBundle }
  const conversion = { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } }
  return { ...made, spec: { ...made.spec, conversion } }
}

export const at = (name: string) => `/apis/${GROUP}/${name}/namespaces/default/hosts`

export const hostObject = (name: string, object: string, spec: object, metadata: object = {}) => ({
  apiVersion: `${GROUP}/${name}`,
  kind: 'Host',
  metadata: { name: object, ...metadata },
  spec,
})

/** Changes the storage version. */
export async function storeIn(server: Pick<TestServer, 'get' | 'put'>, name: string): Promise<Answer> {
  const path = `${DEFINITIONS}/hosts.${GROUP}`
  const { body } = await server.get(path)
  for (const one of body.spec.versions as { name: string; storage: boolean }[]) one.storage = one.name === name
  return server.put(path, body)
}
