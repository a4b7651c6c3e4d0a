// The drawing of a chart, by uPlot, in the colours of the page.

import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface PlotProps {
  /** Seconds, then the values of each series. */
  readonly data: readonly (readonly (number | null)[])[]
  readonly format: (value: number) => string
}

const HEIGHT = 150
/** A chart that has just been opened fills from the right. */
const SHORTEST_S = 120

function clock(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB')
}

export function Plot({ data, format }: PlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const plot = useRef<UPlot>(undefined)
  const latest = useRef(data)
  latest.current = data
  const count = data.length
  useEffect(() => {
    const parent = place.current
    if (parent === null) return
    const draw = () => {
      plot.current?.destroy()
      plot.current = new UPlot(optionsOf(parent, count, format), latest.current as UPlot.AlignedData, parent)
    }
    draw()
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: parent.clientWidth, height: HEIGHT }))
    resized.observe(parent)
    // The colours of a canvas do not follow the theme by themselves.
    const themed = new MutationObserver(draw)
    themed.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] })
    return () => {
      resized.disconnect()
      themed.disconnect()
      plot.current?.destroy()
    }
  }, [count, format])
  useEffect(() => plot.current?.setData(data as UPlot.AlignedData), [data])
  return <div ref={place} />
}

function optionsOf(parent: HTMLElement, count: number, format: (value: number) => string): UPlot.Options {
  const style = getComputedStyle(parent)
  const colour = (name: string) => resolved(parent, `var(${name})`)
  const font = `11px ${style.fontFamily}`
  const axis: UPlot.Axis = {
    stroke: colour('--quiet'),
    font,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { range: (_, min, max) => [Math.min(min, max - SHORTEST_S), max] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.15 : 1] },
    },
    axes: [
      { ...axis, values: (_, times) => times.map(clock), space: 80 },
      { ...axis, size: 62, values: (_, values) => values.map(format) },
    ],
    series: [
      {},
      ...Array.from({ length: count - 1 }, (_, index) => ({
        stroke: colour(`--series-${index + 1}`),
        width: 1.75,
        points: { show: false },
        spanGaps: false,
      })),
    ],
  }
}

/** A canvas knows no `light-dark()`: the browser says which colour it is. */
function resolved(parent: HTMLElement, value: string): string {
  const probe = document.createElement('span')
  probe.style.color = value
  parent.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
