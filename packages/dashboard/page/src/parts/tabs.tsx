// A row of tabs with one panel, by Radix: arrow keys, roles and focus are as people with screen readers know them.

import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

export interface TabsProps {
  readonly names: readonly string[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
  readonly children: ReactNode
}

export function Tabs({ names, chosen, onChoose, children }: TabsProps) {
  return (
    <Radix.Root value={chosen} onValueChange={onChoose} activationMode="manual">
      <Radix.List className="tabs" aria-label="Parts">
        {names.map((name) => (
          <Radix.Trigger key={name} value={name}>
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={chosen} className="tab-panel">
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}
