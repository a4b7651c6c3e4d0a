import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { EventLoopMetrics } from './runtime-metrics.ts'

const worst = (metrics: EventLoopMetrics) => Number(metrics.render().match(/quantile="1"\} ([\d.e-]+)/)?.[1])
/** A timer of 20 ms measures delays, and timers run in the order in which they are due. */
const severalMeasurements = () => setTimeout(70)

it('shows how long the event loop was blocked, once', async () => {
  const metrics = new EventLoopMetrics()
  await severalMeasurements()
  const end = performance.now() + 300
  while (performance.now() < end);
  await severalMeasurements()
  expect(worst(metrics)).toBeGreaterThan(0.2)
  // Nothing has been measured since the previous scrape.
  expect(worst(metrics)).toBe(0)
  metrics.close()
  metrics.close()
})
