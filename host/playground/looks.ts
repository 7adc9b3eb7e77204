/**
 * Switches the look of the page, which the question follows: light or dark, and its accent.
 *
 * @module
 */

import { find } from './dom.ts'

/** Makes the controls work. */
export function startLooks(): void {
  const { style } = document.documentElement
  const scheme = find('scheme')
  scheme.addEventListener('change', () => {
    if (scheme instanceof HTMLSelectElement) style.colorScheme = scheme.value
  })
  for (const swatch of document.querySelectorAll<HTMLElement>('[data-accent]'))
    swatch.addEventListener('click', () => {
      const { accent = '' } = swatch.dataset
      if (accent) style.setProperty('--webmcp-accent', accent)
      else style.removeProperty('--webmcp-accent')
    })
}
