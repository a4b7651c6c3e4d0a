// How the page shows things, for this browser: colours, times, and whether it may change anything.

import { DropdownMenu } from 'radix-ui'
import { readOnly, setReadOnly } from '../connection/read-only.ts'
import { endSession, hasSession } from '../connection/session.ts'
import { useShown } from '../live/shown.ts'
import { chooseTimeStyle, type TimeStyle, timeStyle } from '../parts/age.tsx'
import { openByButton } from './keys/open.ts'
import './popup.css'
import { chooseTheme, THEMES, type Theme, theme } from './theme.ts'

const TIMES: readonly (readonly [style: TimeStyle, text: string])[] = [
  ['relative', 'how long ago'],
  ['local', 'local time'],
  ['utc', 'UTC'],
]

export function OptionsMenu() {
  const shownTheme = useShown(theme)
  const times = useShown(timeStyle)
  const locked = useShown(readOnly)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger aria-label="Options">
        <span aria-hidden="true">⚙</span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className="popup" align="end" sideOffset={4}>
          <DropdownMenu.Label className="popup-note">Colours</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={shownTheme} onValueChange={(value) => chooseTheme(value as Theme)}>
            {THEMES.map((name) => (
              <Choice key={name} value={name} text={name === 'system' ? 'as the system' : name} chosen={shownTheme} />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="popup-line" />
          <DropdownMenu.Label className="popup-note">Times</DropdownMenu.Label>
          <DropdownMenu.RadioGroup value={times} onValueChange={(value) => chooseTimeStyle(value as TimeStyle)}>
            {TIMES.map(([style, text]) => (
              <Choice key={style} value={style} text={text} chosen={times} />
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="popup-line" />
          <DropdownMenu.CheckboxItem className="popup-item" checked={locked} onCheckedChange={setReadOnly}>
            <span className="tick">{locked ? '✓' : ''}</span>
            read-only
          </DropdownMenu.CheckboxItem>
          <DropdownMenu.Item className="popup-item" onSelect={() => openByButton('help')}>
            <span className="tick" />
            keys
          </DropdownMenu.Item>
          {hasSession() && (
            <DropdownMenu.Item className="popup-item" onSelect={() => void logOut()}>
              <span className="tick" />
              log out
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** Every screen begins anew, and holds nothing of whom it was shown to. */
async function logOut(): Promise<void> {
  await endSession()
  location.assign('/ui')
}

function Choice({ value, text, chosen }: { readonly value: string; readonly text: string; readonly chosen: string }) {
  return (
    <DropdownMenu.RadioItem className="popup-item" value={value}>
      <span className="tick">{value === chosen ? '✓' : ''}</span>
      {text}
    </DropdownMenu.RadioItem>
  )
}
