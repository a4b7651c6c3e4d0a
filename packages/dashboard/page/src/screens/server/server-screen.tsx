// The server: what it answers, how long its event loop waits, what it writes and how much memory that takes; and the other servers of
// the same store.

import { useMetrics } from '../../live/metrics/feed.ts'
import { sumOf } from '../../live/metrics/prometheus-text.ts'
import { Age } from '../../parts/age.tsx'
import { Banner } from '../../parts/banner.tsx'
import { bytes, milliseconds, perSecond, share, short } from '../../parts/chart/amounts.ts'
import { Chart, type Series } from '../../parts/chart/chart.tsx'
import { Largest } from './largest.tsx'
import { Members } from './members.tsx'
import './server.css'

interface ServerChart {
  readonly title: string
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const CHARTS: readonly ServerChart[] = [
  {
    title: 'Requests',
    series: [
      { key: 'requests', name: 'answered' },
      { key: 'refused', name: 'refused' },
    ],
    format: perSecond,
  },
  {
    title: 'Event loop, late by',
    series: [
      { key: 'loop 0.5', name: 'median' },
      { key: 'loop 0.99', name: '99 %' },
    ],
    format: milliseconds,
  },
  {
    title: 'Memory',
    series: [
      { key: 'rss', name: 'resident' },
      { key: 'heap', name: 'JavaScript heap' },
    ],
    format: bytes,
  },
  {
    title: 'Store',
    series: [
      { key: 'writes', name: 'writes' },
      { key: 'commits', name: 'commits' },
    ],
    format: perSecond,
  },
  {
    title: 'Watches',
    series: [
      { key: 'watches', name: 'open' },
      { key: 'events', name: 'events per second' },
    ],
    format: short,
  },
  { title: 'Processor', series: [{ key: 'cpu', name: 'of one core' }], format: share },
]

export function ServerScreen() {
  const { now, history, problem } = useMetrics()
  const digest = history.at(-1)?.digest ?? {}
  const started = now && sumOf(now.samples, 'process_start_time_seconds')
  const known = CHARTS.filter(({ series }) => series.some(({ key }) => history.some((point) => key in point.digest)))
  const missing = CHARTS.filter((chart) => !known.includes(chart))
  return (
    <div className="screen server-screen">
      <div className="screen-head">
        <h1>Server</h1>
        {started !== undefined && (
          <span className="quiet">
            started <Age time={started * 1000} />
            {' ago'}
          </span>
        )}
      </div>
      {problem !== undefined && (
        <Banner tone="plain">
          Its metrics cannot be read: {problem}. Who may get <code>/metrics</code> sees requests, event loop, store and
          memory here.
        </Banner>
      )}
      {now === undefined && problem === undefined && <p role="status">Reading the metrics …</p>}
      {digest['commit ms'] !== undefined && (
        <p className="quiet">
          A commit takes {milliseconds(digest['commit ms'])} in the mean
          {digest.pending !== undefined && `; ${short(digest.pending)} writes wait for theirs`}.
        </p>
      )}
      {history.length > 0 && (
        <div className="charts">
          {known.map(({ title, series, format }) => (
            <Chart key={title} title={title} history={history} series={series} format={format} />
          ))}
        </div>
      )}
      {history.length > 2 && missing.length > 0 && (
        <p className="quiet">
          This server does not tell: {missing.map(({ title }) => title.toLowerCase()).join(', ')}.
        </p>
      )}
      <Members />
      {now !== undefined && <Largest samples={now.samples} />}
    </div>
  )
}
