/**
 * Light, dark, or as the system has it: kept in this browser and worn by the document, from which
 * apps are told.
 *
 * @module
 */

import { effect, signal } from '@preact/signals'
import { keep, kept } from './storage.ts'

export const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

const stored = kept('theme')

export const theme = signal<Theme>(THEMES.find((one) => one === stored) ?? 'system')

effect(() => {
  const { dataset } = document.documentElement
  if (theme.value === 'system') delete dataset['theme']
  else dataset['theme'] = theme.value
  keep('theme', theme.value)
})
