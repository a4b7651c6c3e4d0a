// What the schema refuses never reaches the rules: no shape of a colony's object throws.

import { expect, it } from 'vitest'
import { colonyDefinitions } from '../src/kinds/index.ts'
import { startColony } from './colony-calls.ts'

interface Version {
  readonly schema: { readonly openAPIV3Schema: { readonly properties: { readonly spec: Shape } } }
}
interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
}

const NODE = { name: 'a', funcName: 'f', conditions: { executorType: 'ml' } }
const GOOD: Readonly<Record<string, object>> = {
  processes: { funcName: 'f', conditions: { executorType: 'ml' } },
  executors: { type: 'ml' },
  bootstraptokens: { executorType: 'ml', uses: 1, expiresAt: '2126-01-01T00:00:00Z' },
  processgraphs: { nodes: [NODE] },
  processgraphparts: { graph: 'g', nodes: [NODE] },
  schedules: { cron: '@daily', process: { funcName: 'f', conditions: { executorType: 'ml' } } },
  resourcedefinitions: { group: 'ex.io', version: 'v1', names: { kind: 'Lamp', plural: 'lamps' } },
  customresourcedefinitions: { group: 'ex.io', version: 'v1', names: { kind: 'Desk', plural: 'desks' } },
}
const WRONG: readonly unknown[] = [undefined, null, 7, 'text', true, [], {}, [null], { a: null }]

const kinds = colonyDefinitions.map(({ spec }) => {
  const { names, scope, versions } = spec as unknown as {
    names: { kind: string; plural: string }
    scope: string
    versions: [Version]
  }
  return { ...names, scope, fields: fieldsOf(versions[0].schema.openAPIV3Schema.properties.spec) }
})

/** Paths below `spec`, two deep. */
function fieldsOf({ properties = {} }: Shape): string[][] {
  return Object.entries(properties).flatMap(([name, { properties: inner = {} }]) => [
    [name],
    ...Object.keys(inner).map((field) => [name, field]),
  ])
}

function withValue(object: object, [first = '', ...rest]: readonly string[], value: unknown): object {
  const inner = (object as Record<string, unknown>)[first]
  const next = rest.length === 0 ? value : withValue(typeof inner === 'object' && inner ? inner : {}, rest, value)
  return { ...object, [first]: next }
}

it.each(kinds)('no shape of a $kind brings an error that nobody expected', async ({ kind, plural, scope, fields }) => {
  const { colony } = await startColony()
  const base = `/apis/colonies.io/v1${scope === 'Cluster' ? '' : '/namespaces/dev'}/${plural}`
  const send = async (method: string, path: string, body: unknown, type = 'application/json') => {
    const headers = { 'content-type': type }
    const answer = await colony.client.transport.send({ method, path, headers, body: JSON.stringify(body) })
    let text = ''
    for await (const chunk of answer.body) text += Buffer.from(chunk).toString()
    return { status: answer.status, text }
  }
  const good = { apiVersion: 'colonies.io/v1', kind, metadata: { name: 'good' }, spec: GOOD[plural] ?? {} }
  expect((await send('POST', base, good)).status).toBe(201)
  const paths = [['metadata'], ['spec'], ['status'], ...fields.map((field) => ['spec', ...field])]
  const failures: string[] = []
  for (const [index, path] of paths.entries()) {
    for (const [at, value] of WRONG.entries()) {
      const wrong = withValue(good, path, value)
      const name = `n-${index}-${at}`
      const named = path[0] === 'metadata' ? wrong : { ...wrong, metadata: { name } }
      const change = withValue({}, path, value)
      const sent = [
        await send('POST', base, named),
        await send('PUT', `${base}/good`, wrong),
        await send('PATCH', `${base}/good`, change, 'application/merge-patch+json'),
        await send('PATCH', `${base}/${name}?fieldManager=t`, named, 'application/apply-patch+yaml'),
        await send('PATCH', `${base}/good?fieldManager=t&force=true`, wrong, 'application/apply-patch+yaml'),
        await send('PUT', `${base}/good/status`, wrong),
        await send('PATCH', `${base}/good/status`, change, 'application/merge-patch+json'),
        await send('POST', `${base}?dryRun=All`, { ...named, metadata: { name: `${name}-dry` } }),
      ]
      for (const [call, { status, text }] of sent.entries()) {
        // An apply of a wrong type is a 500 of Kubernetes' own, without a reason.
        if (status >= 500 && !text.includes('failed to create typed patch object'))
          failures.push(`${path.join('.')}=${JSON.stringify(value)} call ${call}: ${status} ${text}`)
      }
    }
  }
  expect(failures).toEqual([])
})
