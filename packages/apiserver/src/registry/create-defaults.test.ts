import { afterAll, describe, expect, it } from 'vitest'
import type { Definition } from '../builtin/definition/definition.ts'
import { memoryApi, namespace } from '../controllers/memory-api.ts'
import { customTypes } from '../custom/custom-types.ts'
import { ruledType, type TypeRules } from './type-rules.ts'

const count = { type: 'object', properties: { tries: { type: 'integer', default: 0 } } }
const definition = (plural: string): Definition => {
  const names = { kind: plural, plural, singular: plural, listKind: `${plural}List` }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.ex.io`, resourceVersion: '1' },
    spec: {
      group: 'ex.io',
      scope: 'Namespaced',
      names,
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: count, status: plural === 'plain' ? { ...count, default: {} } : count },
            },
          },
        },
      ],
    },
    status: { acceptedNames: names, conditions: [], storedVersions: ['v1'] },
  }
}

const server = await memoryApi()
afterAll(() => server.close())
const rules: TypeRules = {
  group: 'ex.io',
  resource: 'ruled',
  load: async () => ({
    prepareForCreate(object) {
      object.spec = {}
    },
  }),
}
for (const plural of ['plain', 'ruled'])
  server.types.set(
    'ex.io',
    plural,
    customTypes(definition(plural), 0).map((type) => ruledType(type, [rules])),
  )
await server.api.create({ group: '', resource: 'namespaces' }, namespace('here'))
const made = (resource: string, name: string, parts: object) =>
  server.api.create(
    { group: 'ex.io', resource },
    { apiVersion: 'ex.io/v1', kind: resource, metadata: { namespace: 'here', name }, ...parts },
  )

describe('a new custom object has the defaults', () => {
  it('of what the client sent, and of a status that it did not send', async () => {
    expect(await made('plain', 'a', { spec: {} })).toMatchObject({ spec: { tries: 0 }, status: { tries: 0 } })
  })

  it('of a status in place of the one that the client sent', async () => {
    expect(await made('plain', 'b', { status: { tries: 7 } })).toMatchObject({ status: { tries: 0 } })
  })

  it('of what the rules of its kind set', async () => {
    expect(await made('ruled', 'a', {})).toMatchObject({ spec: { tries: 0 } })
  })
})
