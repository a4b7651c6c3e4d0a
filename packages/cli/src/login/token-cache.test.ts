import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@homeostat/base/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { TokenCache } from './token-cache.ts'

const tokens = { idToken: 'a.b.c', expiresAt: 1000, refreshToken: 'r' }
const never = new AbortController().signal

describe('the cache of tokens', () => {
  it('keeps them for their owner alone, also in a folder that was open', () => {
    const folder = join(temporaryFolder(), 'login')
    mkdirSync(folder, { mode: 0o755 })
    const cache = new TokenCache(folder, 'x.json')
    cache.write(tokens)
    expect(cache.read()).toEqual(tokens)
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'x.json')).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['a file that others can read', (file: string) => chmodSync(file, 0o644)],
    ['half a file', (file: string) => writeFileSync(file, '{"idToken":"a')],
    ['an empty file', (file: string) => writeFileSync(file, '')],
    ['fields of other types', (file: string) => writeFileSync(file, '{"idToken":1,"expiresAt":"x"}')],
    ['null', (file: string) => writeFileSync(file, 'null')],
  ])('takes %s for none', (_, damage) => {
    const folder = join(temporaryFolder(), 'login')
    const cache = new TokenCache(folder, 'x.json')
    cache.write(tokens)
    damage(join(folder, 'x.json'))
    expect(cache.read()).toBe(undefined)
  })

  it('does not follow a link', () => {
    const folder = join(temporaryFolder(), 'login')
    new TokenCache(folder, 'x.json').write(tokens)
    symlinkSync(join(folder, 'x.json'), join(folder, 'y.json'))
    expect(new TokenCache(folder, 'y.json').read()).toBe(undefined)
  })

  it('lets one process refresh at a time', async () => {
    const folder = join(temporaryFolder(), 'login')
    const order: string[] = []
    const held = Promise.withResolvers<void>()
    const first = new TokenCache(folder, 'x.json').locked(async () => {
      order.push('first')
      await held.promise
      order.push('first ends')
    }, never)
    const second = new TokenCache(folder, 'x.json').locked(async () => order.push('second'), never)
    held.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['first', 'first ends', 'second'])
  })

  it('says what to do when the folder cannot be made', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    expect(() => new TokenCache(join(file, 'login'), 'x.json')).toThrow('set XDG_CACHE_HOME')
  })
})
