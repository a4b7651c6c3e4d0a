// What is wider than the screen, such as a table on a phone, and can be scrolled by keyboard, too.

import type { ReactNode } from 'react'

export function Scroll({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}
