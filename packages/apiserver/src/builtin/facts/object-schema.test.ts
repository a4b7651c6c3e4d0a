import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { objectSchema } from './object-schema.ts'
import { publishedComponent } from './published-schema.ts'

type Schema = { properties: Record<string, Schema>; items: Schema; [keyword: string]: unknown }

const read = (name: string) => objectSchema(name) as unknown as Schema
const types = Object.keys(
  JSON.parse(readFileSync(join(import.meta.dirname, '../../../facts/schemas.json'), 'utf8')) as object,
)

describe('linked schemas', () => {
  it('link every type there is', () => {
    for (const type of types) expect(objectSchema(type).type).toBe('object')
  })

  it('share one pod among the kinds that have a template of it', () => {
    const template = (name: string) => read(name).properties.spec?.properties.template?.properties.spec?.properties
    expect(template('apps.v1.Deployment')).toBe(template('apps.v1.DaemonSet'))
    expect(template('apps.v1.Deployment')).toBe(template('core.v1.ReplicationController'))
  })

  it('leave metadata of the object itself to others, and describe that of objects inside', () => {
    const { properties } = read('apps.v1.StatefulSet')
    expect(properties.metadata).toBeUndefined()
    expect(properties.spec?.properties.volumeClaimTemplates?.items.properties.metadata?.properties).toHaveProperty(
      'labels',
    )
  })

  it('know defaults, zero values that are written, and what a zero value that was sent means', () => {
    const port = read('core.v1.Service').properties.spec?.properties.ports?.items.properties
    expect(port?.protocol?.default).toBe('TCP')
    expect(port?.port?.default).toBe(0)
    expect(port?.name).toMatchObject({ type: 'string', omitZero: true })
    expect(port?.appProtocol?.omitZero).toBeUndefined()
    expect(read('rbac.v1.Role').properties.rules?.writtenAsNull).toBe(true)
  })
})

describe('published components', () => {
  it('exist for whatever a component refers to', () => {
    const known = new Set<string>()
    const pending = ['io.k8s.api.core.v1.Pod', 'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.APIService']
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (known.has(name)) continue
      known.add(name)
      const schema = publishedComponent(name)
      expect(schema, name).toBeDefined()
      for (const match of JSON.stringify(schema).matchAll(/#\/components\/schemas\/([^"]+)/g))
        pending.push(match[1] ?? '')
    }
    expect(known.size).toBeGreaterThan(100)
  })

  it('are nothing for names of others', () => {
    expect(publishedComponent('com.example.v1.Gadget')).toBeUndefined()
    expect(publishedComponent('io.k8s.api.core.v1.Unicorn')).toBeUndefined()
  })
})
