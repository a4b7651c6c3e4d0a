// A line over a part of a screen: what is wrong, or what is missing here. A failure is read aloud at once, a remark in its place.

import type { ReactNode } from 'react'

export interface BannerProps {
  readonly tone?: 'bad' | 'busy' | 'plain'
  readonly children: ReactNode
}

export function Banner({ tone = 'bad', children }: BannerProps) {
  const look = tone === 'plain' ? 'banner' : `banner ${tone}`
  return (
    <div role={tone === 'bad' ? 'alert' : 'note'} className={look}>
      {children}
    </div>
  )
}
