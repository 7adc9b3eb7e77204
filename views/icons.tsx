/**
 * Icons in the colour of the surrounding text, and placeholders for empty and loading states.
 * @module
 */

import type { ComponentChildren } from 'preact'

const PATHS = {
  chevron: 'M6 4l4 4-4 4',
  folder: 'M2 4v9h12V5H8L7 3H2z',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  text: 'M4 2h5l3 3v9H4zM6 8h4M6 11h4',
  image: 'M2 3h12v10H2zM2 11l4-4 3 3 2-2 3 3',
  search: 'M7 3a4 4 0 110 8 4 4 0 010-8zM10 10l4 4',
  refresh: 'M13 8a5 5 0 11-2-4M13 2v3h-3',
  up: 'M8 11V3M5 6l3-3 3 3M3 14h10',
  down: 'M8 3v8M5 8l3 3 3-3M3 14h10',
  newFile: 'M4 2h5l3 3v9H4zM8 7v4M6 9h4',
  newFolder: 'M2 4v9h12V5H8L7 3H2zM8 7v4M6 9h4',
  edit: 'M3 13l1-3 7-7 2 2-7 7z',
  trash: 'M3 5h10M6 5V3h4v2M5 5v9h6V5',
  full: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3',
  back: 'M10 3L5 8l5 5',
  wrap: 'M3 4h10M3 8h9a2 2 0 010 4H8l2-2M8 12l2 2M3 12h2',
  copy: 'M6 6h7v7H6zM4 10H3V3h7v1',
  agent: 'M3 3h10v7H8l-3 3v-3H3z',
  share: 'M8 10V2M5 5l3-3 3 3M4 8H3v6h10V8h-1',
  close: 'M4 4l8 8M12 4l-8 8',
}

/** The name of an icon. */
export type IconName = keyof typeof PATHS

/** Renders an icon; it is hidden from assistive technology. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
)

interface ButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly pressed?: boolean
  readonly onClick: () => unknown
}

/** Renders an icon button; the label is its accessible name and its tooltip. */
export const IconButton = ({ icon, label, pressed, onClick }: ButtonProps) => (
  <button class="quiet" aria-label={label} title={label} aria-pressed={pressed} onClick={onClick}>
    <Icon name={icon} />
  </button>
)

interface EmptyProps {
  readonly children: ComponentChildren
  /** Offers to retry after a failure. */
  readonly retry?: () => unknown
}

/** Renders a message where there is no content, or the failure that prevented it. */
export const Empty = ({ children, retry }: EmptyProps) => (
  <div class={retry ? 'empty danger' : 'empty'}>
    {children}
    {retry && (
      <p>
        <button onClick={retry}>Try again</button>
      </p>
    )}
  </div>
)

/** Renders a placeholder while content loads. */
export const Skeleton = () => (
  <div class="skeleton" role="status" aria-label="Loading">
    {[60, 85, 40, 70, 55].map((width) => (
      <div style={{ width: `${width}%` }} />
    ))}
  </div>
)
