// One log with what narrows it: search, pause, times.

import { useMemo, useState } from 'react'
import { Banner } from '../../../parts/banner.tsx'
import { Button } from '../../../parts/button.tsx'
import { Empty } from '../../../parts/empty.tsx'
import { searched } from './line-buffer.ts'
import { LogLines } from './log-lines.tsx'
import type { LogSource } from './log-sources.ts'
import './logs.css'
import { type LogState, useLog } from './use-log.ts'

export function LogView({ source }: { readonly source: LogSource }) {
  const [timestamps, setTimestamps] = useState(false)
  const [previous, setPrevious] = useState(false)
  const [text, setText] = useState('')
  const [held, setHeld] = useState<LogState>()
  const now = useLog(source, { timestamps, previous })
  const state = held ?? now
  const lines = useMemo(() => searched(state.lines, text), [state.lines, text])
  const newer = held === undefined ? 0 : Math.max(0, lastNumber(now) - lastNumber(held))
  return (
    <>
      <div className="toolbar">
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button onPress={() => setHeld(held === undefined ? now : undefined)}>
          {held === undefined ? 'Pause' : 'Go on'}
        </Button>
        <label>
          <input type="checkbox" checked={timestamps} onChange={(event) => setTimestamps(event.target.checked)} /> times
        </label>
        {source.path.includes('/pods/') && (
          <label>
            <input type="checkbox" checked={previous} onChange={(event) => setPrevious(event.target.checked)} /> of the
            run before
          </label>
        )}
        <span className="space" />
        <span role="status" className="quiet">
          {statusText(state, lines.length, text, held !== undefined, newer)}
        </span>
        <Button onPress={() => void navigator.clipboard.writeText(lines.map((line) => line.text).join('\n'))}>
          Copy
        </Button>
      </div>
      {state.problem !== undefined && <Banner>The log could not be read: {state.problem}</Banner>}
      {lines.length === 0 && state.phase !== 'loading' && state.problem === undefined ? (
        <Empty title={text === '' ? 'Nothing has been written yet' : 'No line has this in it'} />
      ) : (
        <LogLines lines={lines} wanted={text} follows={held === undefined && text === ''} />
      )}
    </>
  )
}

function statusText(
  { phase, dropped, lines }: LogState,
  shown: number,
  text: string,
  paused: boolean,
  newer: number,
): string {
  if (phase === 'loading') return 'Reading …'
  const count = text === '' ? `${shown} lines` : `${shown} of ${lines.length} lines`
  const older = dropped > 0 ? `, ${dropped} older ones dropped` : ''
  if (paused) return `${count}${older}, paused${newer > 0 ? `, ${newer} newer` : ''}`
  return `${count}${older}, ${phase === 'live' ? 'live' : 'ended'}`
}

function lastNumber({ lines }: LogState): number {
  return lines.at(-1)?.number ?? 0
}
