// The keys that the screen which is shown knows. Screens add theirs while they are there; the help lists them.

import { useEffect, useRef } from 'react'
import { Shown } from '../../live/shown.ts'

export interface ScreenKey {
  /** As the event has it, with `Control+` in front where it is held. */
  readonly key: string
  readonly help: string
  readonly act: () => void
}

export const screenKeys = new Shown<readonly ScreenKey[]>([])

/** The number of keys and what they are must stay; what they do may change with every render. */
export function useScreenKeys(keys: readonly ScreenKey[]): void {
  const latest = useRef(keys)
  latest.current = keys
  const names = keys.map(({ key }) => key).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names stand for the keys
  useEffect(() => {
    const added = latest.current.map(({ key, help }, index) => ({ key, help, act: () => latest.current[index]?.act() }))
    screenKeys.set([...screenKeys.value, ...added])
    return () => screenKeys.set(screenKeys.value.filter((one) => !added.includes(one)))
  }, [names])
}
