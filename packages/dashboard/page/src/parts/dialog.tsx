// A question over the screen. The browser's own dialog: it keeps the focus inside, Escape closes it, and the focus goes back.

import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'

export interface DialogProps {
  readonly title: string
  readonly onClose: () => void
  /** The buttons, the main one last. */
  readonly buttons: ReactNode
  readonly children: ReactNode
  readonly wide?: boolean
}

export function Dialog({ title, onClose, buttons, children, wide = false }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = place.current
    const before = document.activeElement
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog ref={place} className={wide ? 'dialog wide' : 'dialog'} aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      <div className="dialog-body">{children}</div>
      <div className="dialog-buttons">{buttons}</div>
    </dialog>
  )
}
