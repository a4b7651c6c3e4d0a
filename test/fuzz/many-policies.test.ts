// A create that a thousand policies judge, beside a thousand that do not take it: the answer is that of each policy, and no turn
// of the event loop takes more steps than any other worst case may. They are put into the store, since 4,000 requests would take
// longer than what is tested.

import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { encodeObject } from '@homeostat/meta/server'
import { openSqliteStore } from '@homeostat/store'
import { expect, it, onTestFinished } from 'vitest'
import { MAX_STEPS, MAX_TOTAL, startServerThread } from './server-thread.ts'
import { CONFIG_MAPS, items } from './worst-case.ts'

const COUNT = 1000
const READS_ALL = "object.data.all(key, object.data[key].startsWith('a'))"
const ADMISSION = 'admissionregistration.k8s.io'

interface Policy {
  readonly name: string
  readonly resource: string
  readonly expression: string
  readonly action: string
}

/** Each refuses one name, and looks at all data, so that together they are far more than what one turn may do. */
const judges = items(COUNT, (i): Policy => {
  const name = `judge-${String(i).padStart(4, '0')}`
  return {
    name,
    resource: 'configmaps',
    expression: `${READS_ALL} && object.metadata.name != 'not-${i}'`,
    action: 'Deny',
  }
})
const last: Policy = { name: 'judge-last', resource: 'configmaps', expression: 'false', action: 'Warn' }
const strangers = items(COUNT, (i): Policy => {
  return { name: `stranger-${i}`, resource: 'secrets', expression: 'false', action: 'Deny' }
})

async function seed(directory: string): Promise<void> {
  const store = await openSqliteStore({ directory, synchronous: 'NORMAL' })
  const note = { time: 0, user: 'test', manager: 'test' }
  const put = (kind: string, name: string, spec: object) => {
    const metadata = { name, uid: `${kind}-${name}`, creationTimestamp: '2026-01-01T00:00:00Z', generation: 1 }
    const object = { apiVersion: `${ADMISSION}/v1`, kind, metadata, spec }
    const key = `${ADMISSION}/${kind.toLowerCase().replace(/y$/, 'ie')}s/${name}`
    return store.put(key, encodeObject(object), undefined, note)
  }
  const stored = [...judges, last, ...strangers].flatMap(({ name, resource, expression, action }) => {
    const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: [resource] }
    return [
      put('ValidatingAdmissionPolicy', name, {
        matchConstraints: { resourceRules: [rule] },
        validations: [{ expression }],
      }),
      put('ValidatingAdmissionPolicyBinding', name, { policyName: name, validationActions: [action] }),
    ]
  })
  await Promise.all(stored)
  await store.close()
}

it('a thousand policies that take a create, and a thousand that do not, hold nobody up', async () => {
  const directory = temporaryFolder()
  await seed(directory)
  const server = await startServerThread(directory)
  onTestFinished(() => server.close())
  const data = Object.fromEntries(items(500, (i) => [`k${i}`, 'a']))
  const create = async (name: string): Promise<Response> => {
    await server.state()
    const answer = await fetch(server.url + CONFIG_MAPS, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data }),
    })
    const { steps, total } = await server.state()
    expect(steps, name).toBeLessThan(MAX_STEPS)
    expect(total, name).toBeGreaterThan(MAX_STEPS)
    expect(total, name).toBeLessThan(MAX_TOTAL)
    return answer
  }
  // The first compiles the expressions of all.
  for (const name of ['first', `not-${COUNT}`]) {
    const made = await create(name)
    expect([made.status, made.headers.get('warning')]).toEqual([201, expect.stringContaining("'judge-last'")])
  }
  for (const i of [0, 499, COUNT - 1]) {
    const { name, expression } = judges[i] as Policy
    const refused = await create(`not-${i}`)
    const { message } = (await refused.json()) as { message: string }
    expect([refused.status, message]).toEqual([
      422,
      `configmaps "not-${i}" is forbidden: ValidatingAdmissionPolicy '${name}' with binding '${name}' denied request: failed expression: ${expression}`,
    ])
  }
})
