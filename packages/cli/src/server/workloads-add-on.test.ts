import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { expect, test } from 'vitest'
import { containerOwner } from './container-owner.ts'
import { workloadsAddOn } from './workloads-add-on.ts'

test('workloads wait for the first of their objects', () => {
  const [addOn] = workloadsAddOn(['simulated'], temporaryFolder())
  expect(addOn?.wakes).toContainEqual({ group: '', resource: 'pods' })
})

test('what an earlier server left running is looked after at once', () => {
  const directory = temporaryFolder()
  mkdirSync(join(directory, 'runtimes/process/unit'), { recursive: true })
  expect(workloadsAddOn(['process'], directory)[0]?.wakes).toBeUndefined()
})

test('containers of this data folder have one owner, and are looked after at once by the next server', () => {
  const directory = temporaryFolder()
  const runtimes = join(directory, 'runtimes')
  expect(workloadsAddOn(['docker'], directory)[0]?.wakes).toBeDefined()
  const owner = containerOwner(runtimes)
  expect(owner).toMatch(/^homeostat-[0-9a-f]{8}$/)
  expect(containerOwner(runtimes)).toBe(owner)
  expect(containerOwner(join(temporaryFolder(), 'runtimes'))).not.toBe(owner)
  expect(workloadsAddOn(['process', 'docker'], directory)[0]?.wakes).toBeUndefined()
  expect(workloadsAddOn(['process'], directory)[0]?.wakes).toBeDefined()
})

test('there are none when nobody asks for them, and a runtime that is not there is refused by name', () => {
  expect(workloadsAddOn(['none'], temporaryFolder())).toEqual([])
  expect(() => workloadsAddOn(['process', 'magic'], temporaryFolder())).toThrow(
    '--runtime magic: there are simulated, process, docker, or none alone',
  )
  expect(() => workloadsAddOn(['none', 'process'], temporaryFolder())).toThrow('--runtime none')
})

test('nobody has logs before there is a pod', async () => {
  const [addOn] = workloadsAddOn(['simulated'], temporaryFolder())
  const request = {
    namespace: 'default',
    name: 'web',
    query: new URLSearchParams(),
    json: async () => undefined,
    bytes: async () => new Uint8Array(),
    requirePermission: () => undefined,
  }
  const user = { username: 'system:admin', groups: [] }
  const asked = addOn?.extensions?.[0]?.connect(request, user, new AbortController().signal)
  await expect(asked).rejects.toThrow('pods "web" not found')
})
