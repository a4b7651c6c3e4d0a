// Light, dark, or as the system has it. Kept in this browser.

import { useEffect, useState } from 'react'

const KEY = 'homeostat-theme'
const THEMES = ['system', 'light', 'dark'] as const

export function ThemeChoice() {
  const [theme, setTheme] = useState(localStorage.getItem(KEY) ?? 'system')
  useEffect(() => {
    localStorage.setItem(KEY, theme)
    document.documentElement.style.colorScheme = theme === 'system' ? 'light dark' : theme
  }, [theme])
  return (
    <select aria-label="Colours" value={theme} onChange={(event) => setTheme(event.target.value)}>
      {THEMES.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  )
}
