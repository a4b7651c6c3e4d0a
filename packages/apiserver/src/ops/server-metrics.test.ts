import { afterEach, describe, expect, it } from 'vitest'
import { gadgetType } from '../discovery/gadget.fixture.ts'
import { ServerMetrics } from './server-metrics.ts'

const stats = { commits: 3, writes: 40, commitSeconds: 0.25, failedCommits: 1, pendingWrites: 2, damagedRecords: 5 }
const metrics = new ServerMetrics({ stats: () => stats })
afterEach(() => metrics.close())

describe('metrics of a server', () => {
  it('count requests by verb, resource and code under the names Kubernetes uses', () => {
    metrics.requests.count(gadgetType(), 'create', '', 201, 0.002)
    // A changed definition makes a new type with the same labels.
    metrics.requests.count(gadgetType(), 'create', '', 201, 0.002)
    metrics.requests.count(gadgetType(), 'update', 'status', 409, 0.002)
    metrics.requests.count(undefined, 'get', '', 200, 0.0001)
    const text = metrics.render()
    const labels = 'group="facts.example.com",version="v1",resource="gadgets"'
    expect(text).toContain(`apiserver_request_total{verb="POST",${labels},subresource="",code="201"} 2\n`)
    expect(text).toContain(`apiserver_request_total{verb="PUT",${labels},subresource="status",code="409"} 1\n`)
    expect(text).toContain(
      'apiserver_request_total{verb="GET",group="",version="",resource="",subresource="",code="200"} 1\n',
    )
    expect(text).toContain('apiserver_request_duration_seconds_bucket{verb="POST",resource="gadgets",le="0.0025"} 2\n')
  })

  it('do not grow with what clients invent', () => {
    for (let i = 0; i < 100; i++) metrics.requests.count(gadgetType(), `VERB${i}`, `sub${i}`, 405, undefined)
    const lines = metrics.render().match(/^apiserver_request_total.*code="405".*$/gm)
    expect(lines).toHaveLength(1)
    expect(lines?.[0]).toMatch(/verb="other".*subresource="other".* 100$/)
  })

  it('do not take the length of a watch for a latency', () => {
    metrics.requests.count(gadgetType(), 'watch', '', 200, undefined)
    expect(metrics.render()).toContain('apiserver_request_duration_seconds_count{verb="WATCH",resource="gadgets"} 0\n')
  })

  it('show open watches, events and why watches ended', () => {
    const counts = metrics.watches.of(gadgetType())
    counts.open.add(1)
    counts.open.add(1)
    counts.open.add(-1)
    counts.events.add(50)
    metrics.watches.terminated('slow')
    const labels = 'group="facts.example.com",version="v1",resource="gadgets"'
    const text = metrics.render()
    expect(text).toContain(`apiserver_longrunning_requests{verb="WATCH",${labels}} 1\n`)
    expect(text).toContain(`apiserver_watch_events_total{${labels}} 50\n`)
    expect(text).toContain('homeostat_watch_terminations_total{reason="slow"} 1\n')
  })

  it('show the store, the event loop and the process', () => {
    const text = metrics.render()
    expect(text).toContain('homeostat_store_commits_total 3\n')
    expect(text).toContain('homeostat_store_writes_total 40\n')
    expect(text).toContain('homeostat_store_commit_seconds_total 0.25\n')
    expect(text).toContain('homeostat_store_failed_commits_total 1\n')
    expect(text).toContain('homeostat_store_pending_writes 2\n')
    expect(text).toContain('homeostat_store_damaged_records 5\n')
    expect(text).toMatch(/^homeostat_event_loop_delay_seconds\{quantile="0.99"\} [\d.e-]+$/m)
    expect(Number(text.match(/^process_resident_memory_bytes (\d+)$/m)?.[1])).toBeGreaterThan(1_000_000)
  })

  it('are lines that Prometheus can read', () => {
    for (const line of metrics.render().trimEnd().split('\n')) {
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{\w+="[^"]*"(,\w+="[^"]*")*\})? [-+\w.]+)$/)
    }
  })
})
