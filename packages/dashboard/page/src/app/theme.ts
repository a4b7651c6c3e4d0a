// Light, dark, or as the system has it. Kept in this browser.

import { Shown } from '../live/shown.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const KEY = 'homeostat-theme'

export const theme = new Shown<Theme>(THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'system')
show(theme.value)

export function chooseTheme(chosen: Theme): void {
  localStorage.setItem(KEY, chosen)
  theme.set(chosen)
  show(chosen)
}

function show(chosen: Theme): void {
  document.documentElement.style.colorScheme = chosen === 'system' ? 'light dark' : chosen
}
