// Rules and policies that take long to compile, or to evaluate.

import { type Client, CONFIG_MAPS, DEFINITIONS, fresh, items, type WorstCase } from './worst-case.ts'

const rule = (text: string) => ({ rule: text })
const list = (properties: object, more: object = {}) => ({ type: 'array', items: properties, ...more })

/** A kind whose spec has the schema, and a name for each of its versions. */
async function defined({ send }: Client, spec: object): Promise<string> {
  const plural = `x${fresh('').slice(1)}s`
  const kind = plural.toUpperCase()
  const openAPIV3Schema = { type: 'object', properties: { spec } }
  const answer = await send('POST', DEFINITIONS, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.worst.example.com` },
    spec: {
      group: 'worst.example.com',
      scope: 'Cluster',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  })
  if (answer.status !== 201) throw new Error(answer.text)
  return plural
}

/** Writes an object of a kind with the schema; the kind is made before, and not measured. */
function checks(name: string, schema: object, spec: () => unknown): WorstCase {
  let plural = ''
  return {
    name: `rules: ${name}`,
    async prepare(client) {
      plural = await defined(client, schema)
    },
    async act({ send }) {
      const at = `/apis/worst.example.com/v1/${plural}`
      for (;;) {
        const object = {
          apiVersion: 'worst.example.com/v1',
          kind: plural.toUpperCase(),
          metadata: { name: 'a' },
          spec: spec(),
        }
        const answer = await send('POST', at, object)
        if (answer.status !== 404) return answer
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'

/** Creates a ConfigMap while there are so many policies with the expressions; they are gone again afterwards. */
function judges(name: string, count: number, expressions: readonly string[]): WorstCase {
  const names: string[] = []
  return {
    name: `policies: ${name}`,
    async prepare({ send }) {
      for (const number of items(count, (i) => i)) {
        const metadata = { name: fresh(`p${number}`) }
        const resourceRules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] }]
        const validations = expressions.map((expression) => ({ expression }))
        await send('POST', POLICIES, { metadata, spec: { matchConstraints: { resourceRules }, validations } })
        names.push(metadata.name)
      }
      // Bound at the end: each binding would judge the writes of the next.
      for (const name of names)
        await send('POST', BINDINGS, { metadata: { name }, spec: { policyName: name, validationActions: ['Warn'] } })
    },
    async act({ send }) {
      const data = Object.fromEntries(items(1000, (i) => [`k${i}`, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab']))
      const answer = await send('POST', CONFIG_MAPS, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: fresh('c') },
        data,
      })
      for (const at of [BINDINGS, POLICIES]) for (const name of names) await send('DELETE', `${at}/${name}`)
      return answer
    },
  }
}

const text = 'a'.repeat(200)
const nested = (depth: number, inner: string): string =>
  depth === 0 ? inner : `self.l.all(x${depth}, ${nested(depth - 1, inner)})`

export const ruleCases: readonly WorstCase[] = [
  checks(
    'patterns that would explode elsewhere',
    {
      type: 'object',
      properties: { s: { type: 'string', maxLength: 20_000 } },
      'x-kubernetes-validations': items(40, (i) => rule(`self.s.matches('^(a+)+${'(a|aa)*'.repeat(5)}$|${i}')`)),
    },
    () => ({ s: `${'a'.repeat(19_000)}b` }),
  ),
  checks(
    'comprehensions within comprehensions',
    {
      type: 'object',
      properties: { l: list({ type: 'integer' }, { maxItems: 20 }) },
      'x-kubernetes-validations': items(9, (i) => rule(nested(4, `x1 + x2 + x3 + x4 >= ${-i}`))),
    },
    () => ({ l: items(20, (i) => i) }),
  ),
  checks(
    'a rule at each of many items',
    { type: 'object', properties: { l: list({ type: 'integer', 'x-kubernetes-validations': [rule('self >= 0')] }) } },
    () => ({ l: items(80_000, (i) => i) }),
  ),
  checks(
    'a rule that fails at each of many items',
    {
      type: 'object',
      properties: {
        l: list({ type: 'integer', 'x-kubernetes-validations': [{ ...rule('self < 0'), messageExpression: "'x'" }] }),
      },
    },
    () => ({ l: items(80_000, (i) => i) }),
  ),
  checks(
    'one rule about a long list',
    {
      type: 'object',
      properties: { l: list({ type: 'integer' }) },
      'x-kubernetes-validations': [rule('self.l.all(x, x >= 0)')],
    },
    () => ({ l: items(80_000, (i) => i) }),
  ),
  judges('many that match', 100, ["object.data.all(k, object.data[k].startsWith('a'))"]),
  {
    ...judges('such that cost all they may', 2, [
      `object.data.all(k, object.data.all(j, object.data[k] != '${text}'))`,
    ]),
    // A million units of cost, about 25 ms: as much as one expression may take.
    maxSteps: 40_000_000,
  },
]
