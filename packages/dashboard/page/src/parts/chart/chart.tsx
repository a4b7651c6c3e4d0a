// Numbers over the last minutes. The library that draws comes when the first chart is opened; the newest values stand beside it as text,
// for those who do not see it.

import { lazy, Suspense, useMemo } from 'react'
import type { MetricsState } from '../../live/metrics/feed.ts'
import './chart.css'

const Plot = lazy(() => import('./plot.tsx').then(({ Plot }) => ({ default: Plot })))

export interface Series {
  /** In the digest. */
  readonly key: string
  readonly name: string
}

export interface ChartProps {
  readonly title: string
  readonly history: MetricsState['history']
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

export function Chart({ title, history, series, format }: ChartProps) {
  const data = useMemo(
    () => [
      history.map(({ at }) => at / 1000),
      ...series.map(({ key }) => history.map(({ digest }) => digest[key] ?? null)),
    ],
    [history, series],
  )
  const last = history.at(-1)?.digest
  return (
    <figure className="chart">
      <figcaption>
        <strong>{title}</strong>
        <span className="legend">
          {series.map(({ key, name }, index) => (
            <span key={key} className={`series-${index + 1}`}>
              {name} <b>{last?.[key] === undefined ? '–' : format(last[key])}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <div className="plot" aria-hidden="true">
        <Suspense fallback={null}>
          <Plot data={data} format={format} />
        </Suspense>
      </div>
    </figure>
  )
}
