// A button that says why it cannot be used. It stays in the order of the keyboard then, so that everybody finds the reason.

import { type ReactNode, useId } from 'react'

export interface ButtonProps {
  readonly onPress: () => void
  readonly look?: 'main' | 'danger' | 'plain'
  /** Why it cannot be used now; undefined when it can. */
  readonly whyNot?: string | undefined
  readonly label?: string
  readonly children: ReactNode
}

export function Button({ onPress, look, whyNot, label, children }: ButtonProps) {
  const id = useId()
  const reason = whyNot === undefined ? {} : { 'aria-disabled': true, 'aria-describedby': id, title: whyNot }
  return (
    <>
      <button
        type="button"
        className={look}
        aria-label={label}
        onClick={whyNot === undefined ? onPress : undefined}
        {...reason}
      >
        {children}
      </button>
      {whyNot !== undefined && (
        <span id={id} hidden>
          {whyNot}
        </span>
      )}
    </>
  )
}
