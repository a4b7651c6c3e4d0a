// A value as indented JSON, or as text when it is a text; a large one is cut, and copied whole.

import { Button } from '../../parts/button.tsx'

const SHOWN = 20_000

export interface JsonTextProps {
  readonly name: string
  readonly value: unknown
  readonly empty: string
}

export function JsonText({ name, value, empty }: JsonTextProps) {
  if (value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0))
    return <p className="quiet">{empty}</p>
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: it is text in its own layout */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a place that scrolls must be reachable by keyboard */}
      <pre className="json" tabIndex={0} role="group" aria-label={name}>
        {text.slice(0, SHOWN)}
      </pre>
      {text.length > SHOWN && (
        <p className="quiet">{(text.length - SHOWN).toLocaleString('en')} more letters are in the copy.</p>
      )}
      <Button look="plain" label={`Copy the ${name}`} onPress={() => void navigator.clipboard.writeText(text)}>
        Copy
      </Button>
    </>
  )
}
