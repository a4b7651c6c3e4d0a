// Asks for the name under which what is shown is kept.

import { useState } from 'react'
import { useShown } from '../../live/shown.ts'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { savedViews, saveView } from './saved-views.ts'

export interface SaveViewProps {
  readonly title: string
  /** As the router has it, below `/ui`. */
  readonly path: string
  readonly onClose: () => void
}

export function SaveView({ title, path, onClose }: SaveViewProps) {
  const [name, setName] = useState(title)
  const exists = useShown(savedViews).some((one) => one.name === name.trim())
  const save = () => {
    saveView({ name: name.trim(), path })
    onClose()
  }
  return (
    <Dialog
      title="Save this view"
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Not now</Button>
          <Button look="main" onPress={save} whyNot={name.trim() === '' ? 'It needs a name.' : undefined}>
            {exists ? 'Replace' : 'Save'}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') save()
        }}
      >
        <label className="stacked">
          Name
          <input value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
        </label>
      </form>
      <p className="quiet">
        It is kept in this browser, with the filters, the order and the columns. Under Views there are links that carry
        views to other people.
      </p>
    </Dialog>
  )
}
