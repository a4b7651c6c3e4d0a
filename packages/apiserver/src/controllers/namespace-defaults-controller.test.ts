import { ManualClock, silentLog } from '@homeostat/base'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { configMap, type MemoryApi, memoryApi, namespace } from './memory-api.ts'
import { NamespaceDefaultsController } from './namespace-defaults-controller.ts'

const NAMESPACES = { group: '', resource: 'namespaces' }
const ACCOUNTS = { group: '', resource: 'serviceaccounts' }
const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const account = { namespace: 'n', name: 'default' }
const certificates = { namespace: 'n', name: 'kube-root-ca.crt' }
const failures: object[] = []

let server: MemoryApi
let ending: AbortController
let running: Promise<void>

beforeEach(async () => {
  failures.length = 0
  server = await memoryApi()
  start('PEM')
})
afterEach(async () => {
  await stop()
  await server.close()
  expect(failures).toEqual([])
})

function start(caBundle: string): void {
  ending = new AbortController()
  const log = { ...silentLog, error: (fields: object) => failures.push(fields) }
  running = new NamespaceDefaultsController({ ...server, log, clock: new ManualClock(), caBundle }).start(ending.signal)
}

async function stop(): Promise<void> {
  ending.abort()
  await running
}

const hasAccount = () => server.until(ACCOUNTS, () => server.api.get(ACCOUNTS, account))
const hasCertificates = (wanted: string) =>
  server.until(CONFIG_MAPS, () => {
    const found = server.api.get(CONFIG_MAPS, certificates)
    return JSON.stringify(found?.data) === JSON.stringify({ 'ca.crt': wanted }) && found
  })

describe('every namespace', () => {
  it('gets a service account and the certificates', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await hasAccount()
    const { metadata } = await hasCertificates('PEM')
    expect(metadata.annotations?.['kubernetes.io/description']).toBeTruthy()
  })

  it('gets them again when they are deleted or altered', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    const { metadata } = await hasAccount()
    await hasCertificates('PEM')
    await server.api.delete(ACCOUNTS, account)
    const again = await server.until(ACCOUNTS, () => server.api.get(ACCOUNTS, account))
    expect(again.metadata.uid).not.toBe(metadata.uid)
    await server.api.delete(CONFIG_MAPS, certificates)
    await hasCertificates('PEM')
    await server.api.change(CONFIG_MAPS, certificates, (object) => {
      object.data = { other: 'thing' }
      object.metadata.labels = { kept: 'yes' }
    })
    expect((await hasCertificates('PEM')).metadata.labels).toEqual({ kept: 'yes' })
  })

  it('gets new certificates when the server has new ones, and nothing else is written at a start', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await hasAccount()
    await hasCertificates('PEM')
    await stop()
    const revision = server.revision()
    start('NEW')
    await hasCertificates('NEW')
    expect(server.revision()).toBe(revision + 1)
  })

  it('is left alone when it is being deleted', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await hasAccount()
    await hasCertificates('PEM')
    await server.api.delete(NAMESPACES, { name: 'n' })
    await server.api.delete(ACCOUNTS, account)
    await server.api.delete(CONFIG_MAPS, certificates)
    // The queue is ordered: what was added later is done later.
    await server.api.create(NAMESPACES, namespace('other'))
    await server.until(CONFIG_MAPS, () => server.api.get(CONFIG_MAPS, { ...certificates, namespace: 'other' }))
    expect(server.api.get(ACCOUNTS, account)).toBeUndefined()
    expect(server.api.get(CONFIG_MAPS, certificates)).toBeUndefined()
  })

  it('keeps other config maps as they are', async () => {
    await server.api.create(NAMESPACES, namespace('n'))
    await hasCertificates('PEM')
    await hasAccount()
    await server.api.create(CONFIG_MAPS, configMap('n', 'mine'))
    const revision = server.revision()
    await server.api.create(NAMESPACES, namespace('m'))
    await server.until(CONFIG_MAPS, () => server.api.get(CONFIG_MAPS, { ...certificates, namespace: 'm' }))
    await server.until(ACCOUNTS, () => server.api.get(ACCOUNTS, { ...account, namespace: 'm' }))
    expect(server.revision()).toBe(revision + 3)
  })
})
