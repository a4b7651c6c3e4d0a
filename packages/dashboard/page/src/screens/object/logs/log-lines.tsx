// The lines of a log, the newest at the end. Only those that can be seen are in the document. It follows the end until somebody scrolls up.

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { LogLine } from './line-buffer.ts'

const LINE_PX = 20

export interface LogLinesProps {
  readonly lines: readonly LogLine[]
  readonly wanted: string
  readonly follows: boolean
}

export function LogLines({ lines, wanted, follows }: LogLinesProps) {
  const place = useRef<HTMLElement>(null)
  const atEnd = useRef(true)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => place.current,
    estimateSize: () => LINE_PX,
    overscan: 20,
    getItemKey: (index) => lines[index]?.number ?? index,
  })
  const newest = lines.at(-1)?.number
  // biome-ignore lint/correctness/useExhaustiveDependencies: the last line stands for all
  useEffect(() => {
    if (follows && atEnd.current && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' })
  }, [newest, follows])
  const noteEnd = () => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = place.current ?? {}
    atEnd.current = scrollTop + clientHeight >= scrollHeight - 2 * LINE_PX
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section ref={place} className="log" tabIndex={0} aria-label="Log" onScroll={noteEnd}>
      <div className="log-lines" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const line = lines[index]
          if (line === undefined) return null
          return (
            <div key={key} className="log-line" style={{ transform: `translateY(${start}px)` }}>
              <span className="log-number">{line.number}</span>
              <code>
                <Found text={line.text} wanted={wanted} />
              </code>
            </div>
          )
        })}
      </div>
    </section>
  )
}

/** The first place where the line has it. */
function Found({ text, wanted }: { readonly text: string; readonly wanted: string }) {
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
