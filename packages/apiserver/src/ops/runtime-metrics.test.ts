import { monitorEventLoopDelay } from 'node:perf_hooks'
import { eventually } from '@homeostat/base/testing/eventually'
import { expect, it } from 'vitest'
import { EventLoopMetrics } from './runtime-metrics.ts'

const worst = (metrics: EventLoopMetrics) => Number(metrics.render().match(/quantile="1"\} ([\d.e-]+)/)?.[1])

it('shows how long the event loop was blocked, once', async () => {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  const metrics = new EventLoopMetrics(() => delay)
  expect(worst(metrics)).toBe(0)
  await eventually(() => delay.count > 0)
  const end = performance.now() + 300
  while (performance.now() < end);
  const before = delay.count
  await eventually(() => delay.count > before)
  expect(worst(metrics)).toBeGreaterThan(0.2)
  // Nothing has been measured since the previous scrape.
  expect(worst(metrics)).toBe(0)
  metrics.close()
  metrics.close()
})

it('does not count the time between two looks as a delay', () => {
  const node = {
    ...monitorEventLoopDelay(),
    count: 3,
    percentile: () => 20_500_000,
    enable: () => true,
    reset: () => {},
  }
  expect(worst(new EventLoopMetrics(() => node as never))).toBeCloseTo(0.0005)
  expect(worst(new EventLoopMetrics(() => ({ ...node, percentile: () => 19_900_000 }) as never))).toBe(0)
})

it('measures nothing before somebody asks', () => {
  const metrics = new EventLoopMetrics(() => expect.unreachable('nobody has asked'))
  metrics.close()
})
