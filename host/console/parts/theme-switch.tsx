/** Light, dark, or as the system has it. @module */

import { theme, THEMES, type Theme } from '../state/theme.ts'
import { Icon, type IconName } from './icons.tsx'

const THEME_WORDS: Readonly<Record<Theme, readonly [IconName, string]>> = {
  system: ['screen', 'Colours as the system has them'],
  light: ['sun', 'Light colours'],
  dark: ['moon', 'Dark colours'],
}

export function ThemeSwitch({ name }: { readonly name: string }) {
  return (
    <div class="themes" role="radiogroup" aria-label="Colours">
      {THEMES.map((one) => (
        <label key={one} title={THEME_WORDS[one][1]}>
          <input
            type="radio"
            name={name}
            aria-label={THEME_WORDS[one][1]}
            checked={theme.value === one}
            onChange={() => (theme.value = one)}
          />
          <Icon name={THEME_WORDS[one][0]} />
        </label>
      ))}
    </div>
  )
}
