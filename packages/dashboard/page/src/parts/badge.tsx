// How something is, in a word: with a colour, and a dot for those who do not see colours.

import type { ReactNode } from 'react'
import type { Health } from './health.ts'

export interface BadgeProps {
  /** Without one it is a plain label. */
  readonly health?: Health | undefined
  readonly children: ReactNode
}

export function Badge({ health, children }: BadgeProps) {
  return <span className={health === undefined ? 'badge' : `badge dot ${health}`}>{children}</span>
}
