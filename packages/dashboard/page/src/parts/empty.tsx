// In the place of something that is not there: what there would be, and what to do to get it.

import type { ReactNode } from 'react'

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  )
}
