import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { DATABASES, database, definitionOf, type Handled, handledColony } from './handled.fixture.ts'

const APPLICATIONS = { group: 'app.colonies.io', resource: 'applications' }
const application = definitionOf('Application', {}, 'app.colonies.io')
const owned = (text: string, name = 'orders') => database(name, { annotations: { ownerReferences: text } })
const BY_SHOP = '[{"kind":"Application","name":"shop"}]'

function shop(): KubeObject {
  return {
    apiVersion: 'app.colonies.io/v1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'dev' },
    spec: {},
  }
}

const untilOwned = ({ until, get }: Handled) => until(() => get()?.metadata.ownerReferences)

describe('owners as an annotation', () => {
  it('become real ones, and take what they own with them', async () => {
    const colony = await handledColony([definitionOf('Database'), application])
    const { user, untilCondition, until, get } = colony
    const { metadata } = await user.create(APPLICATIONS, shop())
    await user.create(DATABASES, owned(BY_SHOP))
    const owners = await untilOwned(colony)
    expect(owners).toEqual([{ apiVersion: 'app.colonies.io/v1', kind: 'Application', name: 'shop', uid: metadata.uid }])
    await untilCondition('OwnersResolved', 'True/Resolved')
    await user.delete(APPLICATIONS, { namespace: 'dev', name: 'shop' })
    await user.change(APPLICATIONS, { namespace: 'dev', name: 'shop' }, (object) => {
      object.metadata.finalizers = []
    })
    await until(() => get()?.metadata.deletionTimestamp)
  })

  it('are found when they appear later, and nothing is deleted before', async () => {
    const colony = await handledColony([definitionOf('Database'), application])
    const { user, untilCondition, get } = colony
    await user.create(DATABASES, owned(BY_SHOP))
    await untilCondition('OwnersResolved', 'False/OwnerNotFound')
    expect(get()?.metadata.deletionTimestamp).toBeUndefined()
    await user.create(APPLICATIONS, shop())
    await untilOwned(colony)
    await untilCondition('OwnersResolved', 'True/Resolved')
  })

  it('are found when their kind appears later', async () => {
    const colony = await handledColony()
    const { user, untilCondition, until } = colony
    await user.create(DATABASES, owned(BY_SHOP))
    await untilCondition('OwnersResolved', 'False/UnknownKind')
    await user.create({ group: 'colonies.io', resource: 'resourcedefinitions' }, application)
    await until(() => user.serves(APPLICATIONS))
    await user.create(APPLICATIONS, shop())
    await untilOwned(colony)
  })

  it.each([
    ['no JSON', 'shop', 'False/InvalidAnnotation'],
    ['no list', '{"kind":"Application","name":"shop"}', 'False/InvalidAnnotation'],
    ['no names', '[{"kind":"Application"}]', 'False/InvalidAnnotation'],
  ])('with %s are reported as wrong, and the resource gets its Process nevertheless', async (_, text, expected) => {
    const { user, untilCondition, untilWaiting, change, until, get } = await handledColony()
    await user.create(DATABASES, owned(text))
    await untilCondition('OwnersResolved', expected)
    await untilWaiting()
    await change(({ metadata }) => {
      metadata.annotations = {}
    })
    await until(() => !JSON.stringify(get()?.status).includes('OwnersResolved'))
  })

  it('are asked for by group when two definitions have the kind', async () => {
    const other = definitionOf('Application', {}, 'other.colonies.io')
    const colony = await handledColony([definitionOf('Database'), application, other])
    const { user, untilCondition, change } = colony
    await user.create(APPLICATIONS, shop())
    await user.create(DATABASES, owned(BY_SHOP))
    const condition = await untilCondition('OwnersResolved', 'False/AmbiguousKind')
    expect(condition.message).toContain('Application.app.colonies.io or Application.other.colonies.io')
    await change(({ metadata }) => {
      metadata.annotations = {
        ownerReferences: '[{"kind":"application","name":"shop","apiVersion":"app.colonies.io/v1"}]',
      }
    })
    await untilOwned(colony)
  })
})
