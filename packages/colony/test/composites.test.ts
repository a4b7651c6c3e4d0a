import type { KubeObject } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { DATABASES, definitionOf, type Handled, handledColony } from './handled.fixture.ts'

const APPLICATIONS = { group: 'app.colonies.io', resource: 'applications' }
const WEBS = { group: 'storage.colonies.io', resource: 'webservices' }
const handler = { executorType: 'composite', functionName: 'any' }
const application = definitionOf('Application', { handler }, 'app.colonies.io')
const kinds = [
  definitionOf('Database'),
  definitionOf('WebService', { names: { kind: 'WebService', plural: 'webservices' } }),
]

function shop(...components: object[]): KubeObject {
  return {
    apiVersion: 'app.colonies.io/v1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'dev' },
    spec: { components },
  }
}

const setComponents = ({ user }: Handled, ...components: object[]) =>
  user.change(APPLICATIONS, { namespace: 'dev', name: 'shop' }, (object) => {
    object.spec = { components }
  })
const names = ({ user }: Handled, resource = DATABASES) => user.names(resource, 'dev', 10).map(({ name }) => name)

describe('a composite resource', () => {
  it('makes its components, and is ready when they are', async () => {
    const colony = await handledColony([...kinds, application])
    const { user, untilCondition, take, finish, get } = colony
    await user.create(APPLICATIONS, shop({ kind: 'Database', spec: { engine: 'postgres' } }, { kind: 'webservice' }))
    const condition = await untilCondition('Ready', 'False/ComponentsNotReady', 'shop', APPLICATIONS)
    expect(condition.message).toContain('Database/shop-database')
    expect(get('shop-database')).toMatchObject({
      spec: { engine: 'postgres' },
      metadata: { ownerReferences: [{ kind: 'Application', name: 'shop', controller: true }] },
    })
    for (let left = 2; left > 0; left--) await finish(await take())
    await untilCondition('Ready', 'True/AllComponentsReady', 'shop', APPLICATIONS)
    expect(get('shop', APPLICATIONS)).toMatchObject({
      status: { observedGeneration: 1, inventory: [{ name: 'shop-database' }, { name: 'shop-webservice' }] },
    })
    expect(get('shop', APPLICATIONS)?.metadata.finalizers).toBeUndefined()
  })

  it('follows its components: new ones, changed ones, those that are taken out or deleted', async () => {
    const colony = await handledColony([...kinds, application])
    const { user, until, get } = colony
    const [db, web] = [{ kind: 'Database', spec: { size: 1 } }, { kind: 'WebService' }]
    await user.create(APPLICATIONS, shop(db, db, { ...db, name: 'audit' }, web))
    await until(() => names(colony).length === 3 && names(colony, WEBS).length === 1)
    expect(names(colony)).toEqual(['shop-audit', 'shop-database', 'shop-database-2'])
    await setComponents(colony, { kind: 'Database', spec: { size: 2 } })
    await until(() => JSON.stringify(get('shop-database')?.spec) === '{"size":2}')
    // They go with their finalizers.
    await until(() => names(colony, WEBS).every((name) => get(name, WEBS)?.metadata.deletionTimestamp))
    expect(get('shop-database')?.metadata.deletionTimestamp).toBeUndefined()
    const { uid } = get('shop-database')?.metadata ?? {}
    await user.delete(DATABASES, { namespace: 'dev', name: 'shop-database' })
    await user.change(DATABASES, { namespace: 'dev', name: 'shop-database' }, ({ metadata }) => {
      metadata.finalizers = []
    })
    await until(() => get('shop-database')?.metadata.uid !== uid && get('shop-database'))
  })

  it('says which kinds nobody knows, keeps what it has, and goes on when they are known', async () => {
    const colony = await handledColony([definitionOf('Database'), application])
    const { user, untilCondition, until, get } = colony
    await user.create(APPLICATIONS, shop({ kind: 'Database' }))
    await until(() => get('shop-database'))
    await setComponents(colony, { kind: 'WebService' })
    const condition = await untilCondition('ComponentsResolved', 'False/UnknownKind', 'shop', APPLICATIONS)
    expect(condition.message).toContain('WebService')
    expect(get('shop-database')?.metadata.deletionTimestamp).toBeUndefined()
    await user.create({ group: 'colonies.io', resource: 'resourcedefinitions' }, kinds[1] as KubeObject)
    await untilCondition('ComponentsResolved', 'True/Resolved', 'shop', APPLICATIONS)
    await until(() => get('shop-webservice', WEBS))
  })

  it('names the candidates when a kind is ambiguous', async () => {
    const colony = await handledColony([...kinds, application, definitionOf('Database', {}, 'other.colonies.io')])
    const { user, untilCondition, until, get } = colony
    await user.create(APPLICATIONS, shop({ kind: 'Database' }))
    const condition = await untilCondition('ComponentsResolved', 'False/AmbiguousKind', 'shop', APPLICATIONS)
    expect(condition.message).toContain('Database.other.colonies.io or Database.storage.colonies.io')
    await setComponents(colony, { kind: 'Database', apiVersion: 'storage.colonies.io/v1' })
    await until(() => get('shop-database'))
  })

  it('writes nothing while it is at rest, and takes its components with it', async () => {
    const colony = await handledColony([...kinds, application])
    const { user, untilCondition, take, finish, until, get } = colony
    await user.create(APPLICATIONS, shop({ kind: 'Database' }))
    await finish(await take())
    await untilCondition('Ready', 'True/AllComponentsReady', 'shop', APPLICATIONS)
    const before = user.object(APPLICATIONS, { namespace: 'dev', name: 'shop' })?.revision
    await user.change(DATABASES, { namespace: 'dev', name: 'shop-database' }, ({ metadata }) => {
      metadata.labels = { seen: 'yes' }
    })
    // What is looked at after it has been looked at.
    const other = { ...shop(), metadata: { name: 'other', namespace: 'dev' } }
    await user.create(APPLICATIONS, other)
    await untilCondition('Ready', 'True/AllComponentsReady', 'other', APPLICATIONS)
    expect(user.object(APPLICATIONS, { namespace: 'dev', name: 'shop' })?.revision).toBe(before)
    await user.delete(APPLICATIONS, { namespace: 'dev', name: 'shop' })
    await finish(await take())
    await until(() => get('shop-database') === undefined && get('shop', APPLICATIONS) === undefined)
  })
})
