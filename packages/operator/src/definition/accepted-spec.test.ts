import type { ApiObject } from '@homeostat/client'
import type { Condition } from '@homeostat/meta'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Terminal } from '../runtime/outcome.ts'
import type { ReconcileContext } from '../runtime/reconcile-context.ts'
import { acceptedSpec, SpecCache } from './accepted-spec.ts'

const definition = { spec: z.object({ port: z.int().min(1).default(80), host: z.string() }) }

/** The part of a run that the tests need. */
function runOf(spec: unknown, generation = 1, before: Condition[] = [], uid = 'u1') {
  const conditions = new Map<string, { status: string; reason?: string | undefined; message?: string | undefined }>(
    before.map((condition) => [condition.type, condition]),
  )
  const object = { apiVersion: 'ex.io/v1', kind: 'Site', metadata: { name: 'a', uid, generation }, spec }
  const run = {
    object: object as ApiObject,
    conditions: {
      get: (type: string) => conditions.get(type),
      set: async (type: string, condition: { status: string }) => void conditions.set(type, condition),
      remove: (type: string) => void conditions.delete(type),
    },
  }
  return { run: run as unknown as ReconcileContext, conditions }
}

describe('acceptedSpec', () => {
  it('answers what Zod gives and says that it is valid', () => {
    const { run, conditions } = runOf({ host: 'a' })
    expect(acceptedSpec(run, definition, new SpecCache())).toEqual({ host: 'a', port: 80 })
    expect(conditions.get('Accepted')).toMatchObject({ status: 'True' })
    expect(conditions.has('Ready')).toBe(false)
  })

  it('says every problem in conditions, and stops until the object changes', () => {
    const { run, conditions } = runOf({ port: 0 })
    expect(() => acceptedSpec(run, definition, new SpecCache())).toThrow(Terminal)
    for (const type of ['Accepted', 'Ready']) {
      expect(conditions.get(type)).toMatchObject({ status: 'False', reason: 'InvalidSpec' })
      expect(conditions.get(type)?.message).toMatch(/spec\.port: .*; spec\.host: /)
    }
  })

  it('parses once per generation', () => {
    let parsed = 0
    const counting = {
      spec: z.object({ host: z.string() }).refine(() => {
        parsed += 1
        return true
      }),
    }
    const cache = new SpecCache()
    const first = acceptedSpec(runOf({ host: 'a' }).run, counting, cache)
    expect(acceptedSpec(runOf({ host: 'a' }).run, counting, cache)).toBe(first)
    expect(parsed).toBe(1)
    expect(acceptedSpec(runOf({ host: 'b' }, 2).run, counting, cache)).toEqual({ host: 'b' })
    expect(parsed).toBe(2)
    expect(cache.size).toBe(1)
  })

  it('remembers a bounded number of objects, the used ones longest', () => {
    const cache = new SpecCache(2)
    const ask = (uid: string) => acceptedSpec(runOf({ host: uid }, 1, [], uid).run, definition, cache)
    const kept = ask('a')
    ask('b')
    expect(ask('a')).toBe(kept)
    ask('c')
    expect(cache.size).toBe(2)
    expect(ask('a')).toBe(kept)
    cache.forget('a')
    expect(cache.size).toBe(1)
  })

  it('bounds what it says', () => {
    const many = { spec: z.object({ list: z.array(z.int()) }) }
    const { run, conditions } = runOf({ list: Array.from({ length: 5000 }, () => 'x') })
    expect(() => acceptedSpec(run, many, new SpecCache())).toThrow(Terminal)
    expect(conditions.get('Accepted')?.message?.length).toBeLessThanOrEqual(32_768)
  })
})
