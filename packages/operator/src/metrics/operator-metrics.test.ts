import { ManualClock } from '@homeostat/base'
import { describe, expect, it } from 'vitest'
import type { OutcomeType } from '../runtime/companions.ts'
import { OperatorMetrics } from './operator-metrics.ts'

function counted() {
  const clock = new ManualClock()
  const state = { leads: false, synced: false }
  const asked = { leading: () => state.leads, members: () => 3, synced: () => state.synced }
  const metrics = new OperatorMetrics(clock, asked)
  const run = (result: OutcomeType, ms = 0) =>
    metrics.around({ apiVersion: 'ex.io/v1', kind: 'Site', name: 'a', trigger: 'created' }, async () => {
      clock.advance(ms)
      return { result }
    })
  return { metrics, run, state }
}

describe('metrics of an operator', () => {
  it('count runs by kind and result, with errors of their own', async () => {
    const { metrics, run } = counted()
    for (const result of ['success', 'success', 'waiting', 'error'] as const) await run(result)
    const text = metrics.render()
    expect(text).toContain('homeostat_operator_reconcile_total{kind="Site",result="success"} 2\n')
    expect(text).toContain('homeostat_operator_reconcile_total{kind="Site",result="waiting"} 1\n')
    expect(text).toContain('homeostat_operator_reconcile_errors_total{kind="Site"} 1\n')
  })

  it('tell how long runs took, in buckets that sum up', async () => {
    const { metrics, run } = counted()
    await run('success', 20)
    await run('success', 3000)
    const text = metrics.render()
    expect(text).toContain('reconcile_duration_seconds_bucket{kind="Site",le="0.01"} 0\n')
    expect(text).toContain('reconcile_duration_seconds_bucket{kind="Site",le="0.025"} 1\n')
    expect(text).toContain('reconcile_duration_seconds_bucket{kind="Site",le="5"} 2\n')
    expect(text).toContain('reconcile_duration_seconds_bucket{kind="Site",le="+Inf"} 2\n')
    expect(text).toContain('reconcile_duration_seconds_sum{kind="Site"} 3.02\n')
  })

  it('show what is under way, also when a run throws', async () => {
    const { metrics } = counted()
    const facts = { apiVersion: 'ex.io/v1', kind: 'Site', name: 'a', trigger: 'created' }
    let during = ''
    await expect(
      metrics.around(facts, async () => {
        during = metrics.render()
        throw new Error('broken')
      }),
    ).rejects.toThrow('broken')
    expect(during).toContain('reconcile_active{kind="Site"} 1\n')
    expect(metrics.render()).toContain('reconcile_active{kind="Site"} 0\n')
  })

  it('ask for the queue and the leader when they are shown', () => {
    const { metrics, state } = counted()
    const queue = { depth: 3, oldestMs: 1500 }
    metrics.queue('Site', () => queue)
    expect(metrics.render()).toContain('queue_depth{kind="Site"} 3\n')
    expect(metrics.render()).toContain('queue_oldest_seconds{kind="Site"} 1.5\n')
    expect(metrics.render()).toContain('homeostat_operator_leader 0\n')
    state.leads = true
    queue.depth = 4
    expect(metrics.render()).toContain('homeostat_operator_leader 1\n')
    expect(metrics.render()).toContain('queue_depth{kind="Site"} 4\n')
  })

  it('tell what belongs to this process', () => {
    const { metrics } = counted()
    metrics.owned('Site', () => 67)
    expect(metrics.render()).toContain('homeostat_operator_shard_members 3\n')
    expect(metrics.render()).toContain('homeostat_operator_shard_objects{kind="Site"} 67\n')
  })

  it('tell how long requests waited for the rate limit', () => {
    const { metrics } = counted()
    metrics.waited(0)
    metrics.waited(1500)
    const text = metrics.render()
    expect(text).toContain('homeostat_operator_rate_limiter_duration_seconds_bucket{le="0.001"} 1\n')
    expect(text).toContain('homeostat_operator_rate_limiter_duration_seconds_sum 1.5\n')
  })

  it('count writes, those left out, and retries', () => {
    const { metrics } = counted()
    metrics.wrote('Deployment', 'sent')
    metrics.wrote('Deployment', 'skipped')
    metrics.wrote('Deployment', 'skipped')
    metrics.retried('Site')
    const text = metrics.render()
    expect(text).toContain('api_writes_total{kind="Deployment",result="skipped"} 2\n')
    expect(text).toContain('reconcile_retries_total{kind="Site"} 1\n')
  })

  it('have help and type once for each name', () => {
    const text = counted().metrics.render()
    const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toHaveLength(13)
  })
})

describe('kinds beyond a limit', () => {
  it('are counted together', () => {
    const { metrics } = counted()
    for (let at = 0; at < 600; at++) metrics.retried(`Kind${at}`)
    metrics.retried('Kind0')
    expect(metrics.render()).toContain('reconcile_retries_total{kind="other"} 100\n')
    expect(metrics.render()).toContain('reconcile_retries_total{kind="Kind0"} 2\n')
  })
})
