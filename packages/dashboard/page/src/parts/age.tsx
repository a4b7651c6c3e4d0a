// A time as people read it: how long ago, in local time, or in UTC, as they chose. It ages by itself.

import { useEffect } from 'react'
import { Shown, useShown } from '../live/shown.ts'

export type TimeStyle = 'relative' | 'local' | 'utc'

const KEY = 'homeostat-times'
export const timeStyle = new Shown<TimeStyle>((localStorage.getItem(KEY) as TimeStyle | null) ?? 'relative')

export function chooseTimeStyle(style: TimeStyle): void {
  localStorage.setItem(KEY, style)
  timeStyle.set(style)
}

/** One timer for all ages that are on the screen. */
const tick = new Shown(0)
let ages = 0
let timer: ReturnType<typeof setInterval> | undefined

/** The time now, each second while something on the screen shows it. */
export function useNow(): number {
  useShown(tick)
  useEffect(() => {
    if (ages++ === 0) timer = setInterval(() => tick.set(tick.value + 1), 1000)
    return () => {
      if (--ages === 0) clearInterval(timer)
    }
  }, [])
  return Date.now()
}

/** A clock of another machine may be a little ahead. */
const AHEAD_MS = 2000

export interface AgeProps {
  readonly time: string | number | null | undefined
  /** Within a sentence: `5m ago`, and a point in time as it is. */
  readonly ago?: boolean
}

export function Age({ time, ago = false }: AgeProps) {
  const style = useShown(timeStyle)
  const now = useNow()
  const at = time == null ? Number.NaN : new Date(time).getTime()
  if (Number.isNaN(at)) return <span>unknown</span>
  const utc = new Date(at).toISOString()
  return (
    <time dateTime={utc} title={`${utc}\n${new Date(at).toLocaleString()}`}>
      {shownTime(at, style, utc, now)}
      {ago && style === 'relative' && at <= now + AHEAD_MS && ' ago'}
    </time>
  )
}

function shownTime(at: number, style: TimeStyle, utc: string, now: number): string {
  if (style === 'utc') return utc.replace('T', ' ').replace(/\.\d+Z$/, ' UTC')
  if (style === 'local') return new Date(at).toLocaleString()
  return at > now + AHEAD_MS ? `in ${humanDuration(at - now)}` : humanDuration(now - at)
}

/** As kubectl writes it: `5m10s`, `3d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 120) return `${seconds}s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`
  if (minutes < 180) return `${minutes}m`
  const hours = Math.floor(minutes / 60)
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`
  if (hours < 48) return `${hours}h`
  const days = Math.floor(hours / 24)
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`
}
