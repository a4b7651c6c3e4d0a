// The keys that work now: everywhere, and on the screen that is shown.

import { useShown } from '../../live/shown.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { screenKeys } from './screen-keys.ts'
import './help.css'

const EVERYWHERE: readonly (readonly [key: string, help: string])[] = [
  ['Ctrl K', 'find a kind, an object, a namespace, an action'],
  [':', 'go to a kind'],
  ['/', 'filter what is shown'],
  ['Esc', 'leave a field, close a window, go back'],
  ['?', 'this help'],
]

const NAMES: Readonly<Record<string, string>> = { ' ': 'Space', 'Control+d': 'Ctrl D' }

export function Help({ onClose }: { readonly onClose: () => void }) {
  const own = useShown(screenKeys)
  return (
    <Dialog title="Keys" onClose={onClose} buttons={<Button onPress={onClose}>Close</Button>}>
      <dl className="keys">
        {EVERYWHERE.map(([key, help]) => (
          <Line key={key} name={key} help={help} />
        ))}
      </dl>
      {own.length > 0 && (
        <>
          <h3>On this screen</h3>
          <dl className="keys">
            {own.map(({ key, help }) => (
              <Line key={key} name={NAMES[key] ?? key} help={help} />
            ))}
          </dl>
        </>
      )}
    </Dialog>
  )
}

function Line({ name, help }: { readonly name: string; readonly help: string }) {
  return (
    <div>
      <dt>
        <kbd>{name}</kbd>
      </dt>
      <dd>{help}</dd>
    </div>
  )
}
