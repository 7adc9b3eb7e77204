/**
 * Toasts: short messages about completed actions, which disappear by themselves.
 *
 * @module
 */

import { signal } from '@preact/signals'

/** A toast. */
export interface Toast {
  readonly id: number
  readonly tone: 'success' | 'danger' | 'info'
  readonly text: string
  readonly href?: string
  readonly linkText?: string
}

const STAYS_MS = 7_000
const MOST = 4
let last = 0

/** The visible toasts, oldest first. */
export const toasts = signal<readonly Toast[]>([])

/** Shows a toast for 7 seconds; the tone is `success` by default. */
export function say(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  const toast: Toast = { id: ++last, tone: 'success', text, ...options }
  toasts.value = [...toasts.value.slice(1 - MOST), toast]
  setTimeout(() => dismiss(toast.id), STAYS_MS)
}

/** Removes a toast. */
export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}
