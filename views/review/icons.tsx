/** Icons of the review, in the colour of the text, and buttons that show one. @module */

const PATHS = {
  copy: 'M6 6V3.5A1.5 1.5 0 0 1 7.5 2h5A1.5 1.5 0 0 1 14 3.5v5a1.5 1.5 0 0 1-1.5 1.5H10M3.5 6h5A1.5 1.5 0 0 1 10 7.5v5A1.5 1.5 0 0 1 8.5 14h-5A1.5 1.5 0 0 1 2 12.5v-5A1.5 1.5 0 0 1 3.5 6Z',
  download: 'M8 2v8.5m0 0L4.5 7M8 10.5 11.5 7M2.5 13.5h11',
  expand: 'M9.5 2.5h4v4M13 3 9 7m-2.5 6.5h-4v-4M3 13l4-4',
  keys: 'M2 4.5h12v7.5H2ZM4.5 7h.01M7 7h.01m2.49 0h.01M12 7h.01M5.5 9.5h5',
  chevron: 'm5.5 3.5 4.5 4.5-4.5 4.5',
} as const

export type IconName = keyof typeof PATHS

/** Renders an icon; it is hidden from assistive technology. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon ${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

export interface IconButtonProps {
  readonly icon: IconName
  readonly label: string
  readonly onClick: () => void
}

/** Renders an icon button; the label is its accessible name and its tooltip. */
export function IconButton({ icon, label, onClick }: IconButtonProps) {
  return (
    <button class="tool" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} />
    </button>
  )
}
