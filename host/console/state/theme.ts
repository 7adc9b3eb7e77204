/**
 * Light, dark, or as the system has it: kept in this browser and worn by the document, from which
 * apps are told.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import type { IconName } from '../parts/icons.tsx'
import { keep, kept } from './storage.ts'

export const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** How each is shown and called. */
export const THEME_WORDS: Readonly<Record<Theme, readonly [IconName, string]>> = {
  system: ['screen', 'Colours as the system has them'],
  light: ['sun', 'Light colours'],
  dark: ['moon', 'Dark colours'],
}

const stored = kept('theme')

export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system')

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset['theme']
  else dataset['theme'] = theme.value
  keep('theme', theme.value)
})
