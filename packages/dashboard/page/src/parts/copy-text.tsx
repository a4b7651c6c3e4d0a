// A command or a text with a button that copies it.

import { useState } from 'react'

export function CopyText({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [copied, setCopied] = useState(false)
  async function copy() {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <span className="copy">
      <code>{text}</code>
      <button type="button" onClick={() => void copy()} aria-label={`${label}: ${text}`}>
        <span aria-live="polite">{copied ? 'Copied' : label}</span>
      </button>
    </span>
  )
}
