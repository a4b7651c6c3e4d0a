// A text that somebody wrote: its beginning, and all of it when asked. A megabyte in a message must not be laid out.

import { useState } from 'react'

const SHORT = 400
const MOST = 20_000

export function ShortText({ text, quiet = false }: { readonly text: string; readonly quiet?: boolean }) {
  const [whole, setWhole] = useState(false)
  const value = String(text)
  const shown = whole ? value.slice(0, MOST) : value.slice(0, SHORT)
  return (
    <span className={quiet ? 'quiet written' : 'written'}>
      {shown}
      {value.length > SHORT && (
        <>
          {whole ? value.length > MOST && ` … and ${value.length - MOST} characters more, in its YAML` : '… '}
          <button type="button" className="plain inline" onClick={() => setWhole(!whole)}>
            {whole ? 'Less' : 'More'}
          </button>
        </>
      )}
    </span>
  )
}
