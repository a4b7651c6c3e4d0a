import { internalError } from '@homeostat/meta'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Api } from '../registry/api.ts'
import { deleteContent } from './delete-content.ts'
import { configMap, type MemoryApi, memoryApi, namespace } from './memory-api.ts'

const CONFIG_MAPS = { group: '', resource: 'configmaps' }
const never = new AbortController().signal

let server: MemoryApi

beforeEach(async () => {
  server = await memoryApi()
  await server.api.create({ group: '', resource: 'namespaces' }, namespace('n'))
  await Promise.all(Array.from({ length: 200 }, (_, i) => server.api.create(CONFIG_MAPS, configMap('n', `c${i}`))))
})

afterEach(() => server.close())

describe('deleting content', () => {
  it('deletes everything, a bounded number at a time', async () => {
    let now = 0
    let most = 0
    const counting: Api = {
      ...server.api,
      async delete(resource, name, options) {
        most = Math.max(most, ++now)
        await server.api.delete(resource, name, options)
        now--
      },
    }
    await deleteContent(counting, CONFIG_MAPS, 'n', never)
    expect(server.api.count(CONFIG_MAPS)).toBe(0)
    expect(most).toBeLessThanOrEqual(64)
  })

  it('ignores objects that are deleted already', async () => {
    const raced: Api = {
      ...server.api,
      async delete(resource, name, options) {
        await server.api.delete(resource, name, options)
        await server.api.delete(resource, name, options)
      },
    }
    await expect(deleteContent(raced, CONFIG_MAPS, 'n', never)).resolves.toBeUndefined()
  })

  it('throws a failure', async () => {
    const failing: Api = { ...server.api, delete: () => Promise.reject(internalError('the disk is full')) }
    await expect(deleteContent(failing, CONFIG_MAPS, 'n', never)).rejects.toThrow('the disk is full')
  })

  it('stops between batches when the signal aborts', async () => {
    const ending = new AbortController()
    const stopping: Api = {
      ...server.api,
      delete(resource, name, options) {
        ending.abort()
        return server.api.delete(resource, name, options)
      },
    }
    await deleteContent(stopping, CONFIG_MAPS, 'n', ending.signal)
    expect(server.api.count(CONFIG_MAPS)).toBe(200 - 64)
  })
})
