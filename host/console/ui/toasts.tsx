/**
 * Toasts: short messages about completed actions, which disappear by themselves.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { Icon } from './icons.tsx'
import { Sentence } from './path.tsx'

export interface Toast {
  readonly id: number
  readonly tone: 'success' | 'danger' | 'info'
  readonly text: string
  readonly href?: string
  readonly linkText?: string
}

const SHOWN_MS = 7_000
const MAX_TOASTS = 4
let last = 0

/** The visible toasts, oldest first. */
export const toasts = signal<readonly Toast[]>([])

/** Shows a toast for 7 seconds; the tone is `success` by default. */
export function showToast(text: string, options: Partial<Omit<Toast, 'id' | 'text'>> = {}): void {
  const toast: Toast = { id: ++last, tone: 'success', text, ...options }
  toasts.value = [...toasts.value.slice(1 - MAX_TOASTS), toast]
  setTimeout(() => dismiss(toast.id), SHOWN_MS)
}

/** Removes a toast. */
export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id)
}

/** Shows the visible toasts. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text, href, linkText }) => (
        <div key={id} class={`note ${tone}`}>
          <Icon name={tone === 'success' ? 'check' : tone === 'danger' ? 'warning' : 'info'} />
          <div class="row apart">
            <span>
              <Sentence text={text} />{' '}
              {href !== undefined && <a href={href}>{linkText ?? 'Open'}</a>}
            </span>
            <button
              type="button"
              class="button quiet small icononly"
              aria-label="Dismiss"
              onClick={() => dismiss(id)}
            >
              <Icon name="cross" />
            </button>
          </div>
        </div>
      ))}
    </div>
  )
}
