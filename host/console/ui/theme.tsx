/**
 * The colour theme: light, dark, or the system's. It is stored in this browser and set on the
 * document, from which apps read it.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import { Icon, type IconName } from './icons.tsx'
import { writeStored, readStored } from './storage.ts'

/** The themes, in the order of the switch. */
export const THEMES = ['system', 'light', 'dark'] as const

/** A colour theme. */
export type Theme = (typeof THEMES)[number]

/** Icon and label of each theme. */
export const THEME_LABELS: Readonly<Record<Theme, readonly [IconName, string]>> = {
  system: ['screen', 'System colours'],
  light: ['sun', 'Light colours'],
  dark: ['moon', 'Dark colours'],
}

const stored = readStored('theme')

/** The chosen theme. */
export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system')

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset['theme']
  else dataset['theme'] = theme.value
  writeStored('theme', theme.value)
})

/** Shows the theme switch; `name` is the name of its radio group, unique on the page. */
export function ThemeSwitch({ name }: { readonly name: string }) {
  return (
    <div class="themes" role="radiogroup" aria-label="Colours">
      {THEMES.map((one) => (
        <label key={one} title={THEME_LABELS[one][1]}>
          <input
            type="radio"
            name={name}
            aria-label={THEME_LABELS[one][1]}
            checked={theme.value === one}
            onChange={() => (theme.value = one)}
          />
          <Icon name={THEME_LABELS[one][0]} />
        </label>
      ))}
    </div>
  )
}
