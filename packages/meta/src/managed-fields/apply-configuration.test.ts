import { describe, expect, it } from 'vitest'
import { ANY, METADATA_TYPE, mapType, NUMBER, STRING } from '../merge/merge-type.ts'
import type { KubeObject } from '../object/object.ts'
import { applyConfiguration } from './apply-configuration.ts'

const type = mapType({
  apiVersion: STRING,
  kind: STRING,
  metadata: METADATA_TYPE,
  spec: mapType({
    replicas: NUMBER,
    ports: { kind: 'list', list: 'map', keys: [{ name: 'port' }], items: mapType({ name: STRING, port: NUMBER }) },
  }),
  status: ANY,
})
const types = { typeOf: () => type, convert: (object: KubeObject) => object }
const app = (spec: object): KubeObject => ({ apiVersion: 'e/v1', kind: 'App', metadata: { name: 'a' }, spec })
const by = (manager: string, force = false) => ({
  manager,
  apiVersion: 'e/v1',
  time: '2026-01-01T00:00:00Z',
  reset: [],
  force,
})

describe('applyConfiguration', () => {
  it('gives the live object back when nothing changes', () => {
    const config = app({ replicas: 1, ports: [{ port: 80, name: 'http' }] })
    const live = applyConfiguration(undefined, config, by('one'), types)
    expect(applyConfiguration(live, structuredClone(config), by('one'), types)).toBe(live)
  })
})
