import { ManualClock } from '@homeostat/base'
import { eventually } from '@homeostat/base/testing/eventually'
import { describe, expect, it } from 'vitest'
import { terminal, waiting } from '../runtime/outcome.ts'
import { conditionOf, stage } from './class-style.fixture.ts'
import { siteKind } from './site.fixture.ts'
import type { SubresourceResult } from './subresources.ts'

describe('the parts of a custom resource', () => {
  it('have conditions; one that throws stops no other and is tried again until it works', async () => {
    let failures = 3
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('Broken', async () => {
        if (failures-- > 0) throw new Error('boom')
        return { ready: true }
      })
      await site.reconcileSubresource('Config', async () => {
        await site.config.current?.patch(site.manifest)
        return { ready: true, message: 'it is there' }
      })
    })
    const { operate, create, find, untilCondition } = await stage()
    await operate([kind], { backoff: { min: '100ms', max: '100ms' } })
    await create('Site', 'a')
    const failed = await untilCondition('Site', 'a', 'Broken', 'False Failed')
    expect(failed.status?.conditions?.find(({ type }) => type === 'Broken')?.message).toBe('boom')
    expect(await find('ConfigMap', 'a')).toBeDefined()
    expect(conditionOf(failed, 'Config')).toBe('True Ready')
    await untilCondition('Site', 'a', 'Ready', 'True Ready')
    expect(conditionOf(await find('Site', 'a'), 'Broken')).toBe('True Ready')
  })

  it('are tried again after a delay that grows', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('Broken', async () => {
        runs++
        throw new Error('boom')
      })
    })
    const clock = new ManualClock(Date.now())
    const { operate, create } = await stage()
    const { running } = await operate([kind], { clock, random: () => 0.5, backoff: { min: '1s', max: '1m' } })
    await create('Site', 'a')
    await eventually(() => runs === 1)
    const delays: number[] = []
    for (const wanted of [2, 3, 4]) {
      await running.idle()
      let delay = 0
      for (; runs < wanted; delay += 100) {
        clock.advance(100)
        await running.idle()
      }
      delays.push(delay)
    }
    const [first = 0, second = 0, third = 0] = delays
    expect(second).toBeGreaterThan(first)
    expect(third).toBeGreaterThan(second)
  })

  it('are retried, too, when one says that it failed', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('App', async (): Promise<SubresourceResult> => {
        runs++
        return runs < 4 ? { ready: false, failed: true, reason: 'MissingDependency' } : { ready: true }
      })
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'a')
    await untilCondition('Site', 'a', 'Ready', 'True Ready')
    expect(runs).toBe(4)
  })

  it('make Ready together, unless the author sets it', async () => {
    const kind = siteKind(async (site) => {
      await site.reconcileSubresource('One', async () => ({ ready: true }))
      await site.reconcileSubresource('Two', async () => ({ ready: false, reason: 'Slow', message: 'it takes time' }))
      if (site.spec.text === 'own') await site.conditions.set('Ready', { status: 'True', reason: 'MyWord' })
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'together')
    const site = await untilCondition('Site', 'together', 'Ready', 'False Slow')
    expect(site.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe('Two: it takes time')
    await create('Site', 'own', { text: 'own' })
    await untilCondition('Site', 'own', 'Ready', 'True MyWord')
  })

  it('may wait, which is no failure, or give up, which is no retry', async () => {
    let runs = 0
    const kind = siteKind(async (site) => {
      runs++
      await site.reconcileSubresource('Part', async () => {
        if (site.spec.text === 'wait') throw waiting('NotYet', 'the other is not there')
        throw terminal(new Error('impossible'), 'Impossible')
      })
    })
    const { operate, create, untilCondition } = await stage()
    const { running } = await operate([kind])
    await create('Site', 'a', { text: 'wait' })
    await untilCondition('Site', 'a', 'Part', 'False NotYet')
    await create('Site', 'b', { text: 'stop' })
    await untilCondition('Site', 'b', 'Ready', 'False Impossible')
    await running.idle()
    expect(runs).toBe(2)
  })
})

describe('parts that run side by side', () => {
  it('are reported in the order in which they began', async () => {
    const order: string[] = []
    const kind = siteKind(async (site) => {
      const slow = Promise.withResolvers<void>()
      const part = (name: string, before: Promise<void> | undefined) => async () => {
        await before
        order.push(name)
        return { ready: false, message: 'not yet' }
      }
      await Promise.all([
        site.reconcileSubresource('Slow', part('Slow', slow.promise)),
        site.reconcileSubresource('Quick', part('Quick', undefined)).then(() => slow.resolve()),
      ])
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'a')
    const site = await untilCondition('Site', 'a', 'Ready', 'False Pending')
    expect(order).toEqual(['Quick', 'Slow'])
    expect(site.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toBe('Slow: not yet; Quick: not yet')
  })

  it('have to be awaited', async () => {
    const never = new Promise<SubresourceResult>(() => {})
    const kind = siteKind(async (site) => {
      void site.reconcileSubresource('Forgotten', () => never)
    })
    const { operate, create, untilCondition } = await stage()
    await operate([kind])
    await create('Site', 'a')
    const site = await untilCondition('Site', 'a', 'Ready', 'False ReconcileFailed')
    expect(site.status?.conditions?.find(({ type }) => type === 'Ready')?.message).toMatch(/^Forgotten: .*await/)
  })
})
