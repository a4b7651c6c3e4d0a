// What is about to happen to many objects: how many, which, and which not and why. Then how far it is, and what failed.

import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from '../dialog.tsx'
import { type Progress, runEach } from './run-each.ts'
import './bulk.css'

export interface BulkDialogProps<T> {
  /** `Delete`, `Cancel`: the button has it with the count. */
  readonly verb: string
  readonly nouns: string
  readonly danger?: boolean
  readonly items: readonly T[]
  /** Those that are left out, by why. */
  readonly leftOut?: readonly { readonly why: string; readonly count: number }[]
  readonly nameOf: (item: T) => string
  readonly act: (item: T) => Promise<unknown>
  /** What has to be filled in first. */
  readonly children?: ReactNode
  /** What is not filled in yet. */
  readonly missing?: string | undefined
  readonly onClose: () => void
}

const SHOWN = 12

export function BulkDialog<T>(props: BulkDialogProps<T>) {
  const { verb, nouns, danger = false, items, leftOut = [], nameOf, act, children, missing, onClose } = props
  const [progress, setProgress] = useState<Progress>()
  const [over, setOver] = useState(false)
  const ending = useRef<AbortController>(undefined)
  useEffect(() => () => ending.current?.abort(), [])

  async function run() {
    ending.current = new AbortController()
    const { signal } = ending.current
    setProgress({ done: 0, total: items.length, failures: [] })
    await runEach(items, nameOf, act, setProgress, signal)
    setOver(true)
  }

  if (progress !== undefined)
    return (
      <Dialog
        title={`${verb} ${items.length} ${nouns}`}
        onClose={onClose}
        buttons={<Button onPress={onClose}>{over ? 'Close' : 'Stop here'}</Button>}
      >
        <Advance progress={progress} over={over} />
      </Dialog>
    )
  const why = items.length === 0 ? 'None of them can.' : missing
  return (
    <Dialog
      title={`${verb} ${items.length} ${nouns}?`}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>Keep them as they are</Button>
          <Button look={danger ? 'danger' : 'main'} whyNot={why} onPress={() => void run()}>
            {verb} {items.length}
          </Button>
        </>
      }
    >
      <ul className="bulk-names">
        {items.slice(0, SHOWN).map((item) => (
          <li key={nameOf(item)}>{nameOf(item)}</li>
        ))}
        {items.length > SHOWN && <li className="quiet">and {items.length - SHOWN} more</li>}
      </ul>
      {leftOut.map(({ why, count }) => (
        <p key={why} className="quiet">
          {count} left out: {why}
        </p>
      ))}
      {children}
    </Dialog>
  )
}

const FAILURES_SHOWN = 100
const LONGEST = 500

function Advance({
  progress: { done, total, failures },
  over,
}: {
  readonly progress: Progress
  readonly over: boolean
}) {
  return (
    <>
      <progress aria-label="How far it is" value={done} max={total} />
      <p role="status">
        {done - failures.length} of {total} done{failures.length > 0 && `, ${failures.length} failed`}
        {over && '.'}
      </p>
      <ul className="bulk-names">
        {failures.slice(0, FAILURES_SHOWN).map(({ name, message }) => (
          <li key={name}>
            <strong>{name}</strong> <span className="bad">{message.slice(0, LONGEST)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
