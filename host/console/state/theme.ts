/**
 * The colour theme: light, dark, or the system's. It is stored in this browser and set on the
 * document, from which apps read it.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import type { IconName } from '../parts/icons.tsx'
import { keep, kept } from './storage.ts'

/** The themes, in the order of the switch. */
export const THEMES = ['system', 'light', 'dark'] as const

/** A colour theme. */
export type Theme = (typeof THEMES)[number]

/** Icon and label of each theme. */
export const THEME_WORDS: Readonly<Record<Theme, readonly [IconName, string]>> = {
  system: ['screen', 'Colours as the system has them'],
  light: ['sun', 'Light colours'],
  dark: ['moon', 'Dark colours'],
}

const stored = kept('theme')

/** The chosen theme. */
export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system')

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset['theme']
  else dataset['theme'] = theme.value
  keep('theme', theme.value)
})
