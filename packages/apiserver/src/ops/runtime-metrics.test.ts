import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EventLoopMetrics } from './runtime-metrics.ts'

const worst = (metrics: EventLoopMetrics) => Number(metrics.render().match(/quantile="1"\} ([\d.e-]+)/)?.[1])

it('shows how long the event loop was blocked, once', async () => {
  const metrics = new EventLoopMetrics()
  // The first timer must run before a late one can be told.
  let seen = 0
  while (seen === 0) {
    await setImmediate()
    seen = worst(metrics)
  }
  const end = performance.now() + 200
  while (performance.now() < end);
  do {
    await setImmediate()
    seen = worst(metrics)
  } while (seen === 0)
  expect(seen).toBeGreaterThan(0.1)
  expect(worst(metrics)).toBeLessThan(0.1)
  metrics.close()
  metrics.close()
})
