import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { DATABASES, database, handledColony } from './handled.fixture.ts'
import { CRDS, conditionOf } from './server.fixture.ts'

describe('definitions of others', () => {
  const crd = (annotations: Record<string, string>, status: object): KubeObject => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'databases.storage.colonies.io', annotations },
    spec: {
      group: 'storage.colonies.io',
      names: { kind: 'Database', plural: 'databases', singular: 'database', listKind: 'DatabaseList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: { status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, status },
            },
          },
        },
      ],
    },
  })
  const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
  const handler = '{"executorType":"db","functionName":"f"}'
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }

  it('work with the annotation alone, also where conditions are one list', async () => {
    const { user, take, finish, get, untilCondition, until, change } = await handledColony([])
    await user.create({ group: '', resource: 'namespaces' }, namespace)
    await user.create(CRDS, crd({ 'colonies.io/handler': handler }, anything))
    await until(() => user.serves(DATABASES))
    await user.create(DATABASES, database())
    const conditions = [{ type: 'Backup', status: 'True', reason: 'Done', message: '' }]
    await finish(await take(), { status: { phase: 'Running', conditions } })
    await untilCondition('Ready', 'True/Reconciled')
    expect(conditionOf(get(), 'Backup')).toMatchObject({ status: 'True' })
    await change((object) => {
      object.spec = { engine: 'mysql' }
    })
    await finish(await take(), { status: { phase: 'Running', conditions } })
    await until(() => conditionOf(get(), 'Ready')?.observedGeneration === 2)
    expect(conditionOf(get(), 'Backup')).toMatchObject({ status: 'True' })
  })

  it('that get another handler hand over what waits', async () => {
    const { user, take, until, untilWaiting } = await handledColony([])
    await user.create({ group: '', resource: 'namespaces' }, namespace)
    await user.create(CRDS, crd({ 'colonies.io/handler': handler }, anything))
    await until(() => user.serves(DATABASES))
    await user.create(DATABASES, database())
    const { metadata } = await untilWaiting()
    await user.change(CRDS, { name: 'databases.storage.colonies.io' }, (definition) => {
      const other = '{"executorType":"other","functionName":"g"}'
      definition.metadata.annotations = { 'colonies.io/handler': other }
    })
    const process = await take('other')
    expect(process.metadata.name).toBe(metadata.name)
    expect(process.spec.funcName).toBe('g')
  })

  it.each([
    ['a handler that is no JSON', crd({ 'colonies.io/handler': '{' }, anything), 'no JSON'],
    ['a handler without a function', crd({ 'colonies.io/handler': '{"executorType":"db"}' }, anything), 'functionName'],
    [
      'a status that keeps nothing',
      crd({ 'colonies.io/handler': handler }, { type: 'object', properties: { phase: { type: 'string' } } }),
      'observedGeneration',
    ],
  ])('are ignored with %s, and that is said', async (_, definition, words) => {
    const { user, until, logged } = await handledColony([])
    await user.create(CRDS, definition)
    await until(() => logged.length > 0)
    expect(logged).toEqual([expect.stringContaining(words)])
  })
})
