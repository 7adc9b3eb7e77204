/** The switch between light, dark and the system's colours. @module */

import { theme, THEME_WORDS, THEMES } from '../state/theme.ts'
import { Icon } from './icons.tsx'

/** Shows the theme switch; `name` is the name of its radio group, unique on the page. */
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
