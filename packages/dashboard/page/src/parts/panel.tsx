// A part of a screen on a surface of its own, with a heading that readers of screens can jump to.

import { type ReactNode, useId } from 'react'

export interface PanelProps {
  readonly title: ReactNode
  /** Behind the heading: buttons, badges. */
  readonly actions?: ReactNode
  /** A table or a list goes to the edges; text does not. */
  readonly flush?: boolean
  readonly children: ReactNode
}

export function Panel({ title, actions, flush = false, children }: PanelProps) {
  const id = useId()
  return (
    <section className="panel" aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        <span className="space" />
        {actions}
      </header>
      {flush ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard
        // biome-ignore lint/a11y/useSemanticElements: it is the section's own content
        <div className="scroll" role="group" tabIndex={0} aria-labelledby={id}>
          {children}
        </div>
      ) : (
        <div className="body">{children}</div>
      )}
    </section>
  )
}
