/**
 * Small components that all pages use: headings, notes, errors, empty states and badges.
 *
 * @module
 */

import type { ComponentChildren } from 'preact'
import { coarseNow } from './clock.ts'
import { formatAge, endSentence, formatMoment } from './format.ts'
import { shortenBannerError } from '../connect/banner.ts'
import { describeError } from './errors.ts'
import { Icon, type IconName } from './icons.tsx'

interface Children {
  readonly children?: ComponentChildren
}

/**
 * Shows the heading of a page, with its introduction and buttons. The heading of one item, such as a change, gets its
 * title only after the item was read. It has the focus by then, so it is a live region: screen readers announce it.
 */
export function PageHead({
  title,
  children,
  actions,
}: Children & { readonly title: ComponentChildren; readonly actions?: ComponentChildren }) {
  return (
    <header class="pagehead">
      <div>
        <h1 tabIndex={-1} aria-live="polite" aria-atomic="true">
          {title}
        </h1>
        {children && <p>{children}</p>}
      </div>
      {actions && <div class="row">{actions}</div>}
    </header>
  )
}

/** The tone of a note or badge. */
export type Tone = 'plain' | 'info' | 'success' | 'warning' | 'danger'

const TONE_ICONS: Readonly<Record<Tone, IconName>> = {
  plain: 'info',
  info: 'info',
  success: 'check',
  warning: 'warning',
  danger: 'warning',
}

/** Shows a highlighted note. */
export function Note({
  tone = 'plain',
  title,
  role,
  children,
}: Children & {
  readonly tone?: Tone
  readonly title?: string
  readonly role?: 'alert' | 'status'
}) {
  return (
    <div class={`note ${tone}`} role={role}>
      <Icon name={TONE_ICONS[tone]} />
      <div>
        {title && <strong>{title}</strong>}
        {title && children ? ' ' : null}
        {children}
      </div>
    </div>
  )
}

/**
 * Shows an error: what failed, unless the reason begins with it, why, and what the user can do. The page-level
 * banner's errors are shortened.
 */
export function Fault({
  what,
  error,
  retry,
}: {
  /** What failed, such as "Cannot read the rules"; without it the reason comes first. */
  readonly what?: string
  readonly error: unknown
  readonly retry?: (() => void) | undefined
}) {
  const above = shortenBannerError(error)
  if (above !== null) return <p class="faint">{above}</p>
  const { message, advice, code } = describeError(error)
  const reason = endSentence(message)
  const isNamed = what === undefined || reason.startsWith(what)
  const [first = reason, ...others] = isNamed ? splitSentences(reason) : [`${what}:`, reason]
  return (
    <Note tone="danger" role="alert">
      <strong>{first}</strong>
      {others.map((sentence) => ` ${sentence}`)}
      {advice && ` ${advice}`}
      {code !== null && <code> ({code})</code>}
      {retry && (
        <div class="row">
          <button type="button" class="button small" onClick={retry}>
            <Icon name="refresh" /> Try again
          </button>
        </div>
      )}
    </Note>
  )
}

/** Splits a text after each full stop that a capital follows, so that a path with a space stays whole. */
const splitSentences = (text: string) => text.split(/(?<=[.!?])\s+(?=\p{Lu})/u)

/** Shows an empty state, with what to do next. */
export function Empty({
  icon,
  title,
  children,
  actions,
}: Children & {
  readonly icon: IconName
  readonly title: string
  readonly actions?: ComponentChildren
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <strong>{title}</strong>
      <p>{children}</p>
      {actions && <div class="row">{actions}</div>}
    </div>
  )
}

/** Shows that something is loading. */
export const Waiting = ({ children }: Children) => (
  <div class="waiting" role="status">
    {children ?? 'Loading…'}
  </div>
)

/** Shows a short label. */
export function Badge({
  tone = 'plain',
  title,
  children,
}: Children & { readonly tone?: Tone; readonly title?: string }) {
  return (
    <span class={`badge ${tone}`} title={title}>
      {children}
    </span>
  )
}

/** Shows a time relative to now, with the exact time as its title. */
export function When({ at }: { readonly at: number }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={formatMoment(at)}>
      {formatAge(at, coarseNow.value)}
    </time>
  )
}
