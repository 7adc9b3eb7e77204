/** Shows the toasts, in a live region for screen readers. @module */

import { dismiss, toasts } from '../state/toast.ts'
import { Icon } from './icons.tsx'

/** Shows the visible toasts. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, tone, text, href, linkText }) => (
        <div key={id} class={`note ${tone}`}>
          <Icon name={tone === 'success' ? 'check' : tone === 'danger' ? 'warning' : 'info'} />
          <div class="row apart">
            <span>
              {text} {href !== undefined && <a href={href}>{linkText ?? 'Look'}</a>}
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
