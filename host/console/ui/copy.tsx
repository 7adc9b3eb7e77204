/** Buttons and boxes for copying text. @module */

import { useState } from 'preact/hooks'
import { Icon } from './icons.tsx'

/** A button that copies a text and confirms it for a moment. */
export function Copy({
  text,
  label = 'Copy',
  small = true,
}: {
  readonly text: string
  readonly label?: string
  readonly small?: boolean
}) {
  const [notice, setNotice] = useState('')
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setNotice('Copied'),
      () => setNotice('Select and copy the text'),
    )
  const handleClick = () => void copy().then(() => setTimeout(() => setNotice(''), 1_500))
  return (
    <button type="button" class={`button ${small ? 'small' : ''}`} onClick={handleClick}>
      <Icon name={notice === 'Copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{notice || label}</span>
    </button>
  )
}

/** A box with text and a copy button. */
export function Snippet({ text, label }: { readonly text: string; readonly label: string }) {
  const one = !text.includes('\n')
  return (
    <div class={`snippet ${one ? 'one' : ''}`}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
      <Copy text={text} />
    </div>
  )
}
