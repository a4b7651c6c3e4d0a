// The keys of the page, as people know them from k9s. They do nothing while somebody writes or a window is open.

import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { isWriting, keyName } from './key-name.ts'
import { OPEN, type Open } from './open.ts'
import { screenKeys } from './screen-keys.ts'

const Palette = lazy(() => import('../palette/palette.tsx').then(({ Palette }) => ({ default: Palette })))
const Help = lazy(() => import('./help.tsx').then(({ Help }) => ({ default: Help })))

/** What has the focus is pressed by Enter and Space itself. */
function pressesIt(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(PRESSED) !== null
}

const PRESSED = 'a, button, input, summary, [role=tab], [role=menuitem], [role=option]'

export function Keys() {
  const router = useRouter()
  const [open, setOpen] = useState<Open>()
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = keyName(event)
      if (key === 'Control+k') {
        event.preventDefault()
        setOpen('palette')
        return
      }
      if (key === undefined || event.defaultPrevented || document.querySelector('dialog[open]') !== null) return
      if (isWriting(event.target as HTMLElement)) {
        if (key === 'Escape') (event.target as HTMLElement).blur()
        return
      }
      if ((key === 'Enter' || key === ' ') && pressesIt(event.target)) return
      const own = screenKeys.value.findLast((one) => one.key === key)
      if (own !== undefined) own.act()
      else if (key === ':') setOpen('kinds')
      else if (key === '?') setOpen('help')
      else if (key === '/') document.querySelector<HTMLInputElement>('main input[type=search]')?.focus()
      else if (key === 'Escape') router.history.back()
      else return
      event.preventDefault()
    }
    const asked = (event: Event) => setOpen((event as CustomEvent<Open>).detail)
    addEventListener('keydown', press)
    addEventListener(OPEN, asked)
    return () => {
      removeEventListener('keydown', press)
      removeEventListener(OPEN, asked)
    }
  }, [router])
  const close = () => setOpen(undefined)
  return (
    <Suspense fallback={null}>
      {(open === 'palette' || open === 'kinds') && <Palette first={open === 'kinds' ? ':' : ''} onClose={close} />}
      {open === 'help' && <Help onClose={close} />}
    </Suspense>
  )
}
