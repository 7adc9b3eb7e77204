/** The form of a comment. `test/host/console/comments.test.tsx` has the cases. @module */

import { useEffect, useRef, useState } from 'preact/hooks'

/** Maximum length of a comment; the server refuses longer ones. */
const MAX_LENGTH = 2_000

interface Props {
  readonly label: string
  /** Resolves to whether the comment is stored; the text stays if it is not. */
  readonly onSend: (text: string) => Promise<boolean>
  readonly onCancel?: () => void
  /** Whether the field has the focus when the form opens. */
  readonly isFocused?: boolean
  /** A second button, which sends the text as something else. */
  readonly other?: { readonly label: string; readonly onSend: (text: string) => Promise<boolean> }
}

/** Shows a field for a text, and the buttons that send it. */
export function CommentForm({ label, onSend, onCancel, other, isFocused = false }: Props) {
  const [text, setText] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (isFocused) field.current?.focus()
  }, [])
  const send = async (how: Props['onSend']) => {
    if (text.trim() === '' || isBusy) return
    setBusy(true)
    if (await how(text.trim())) setText('')
    setBusy(false)
  }
  const isOff = isBusy || text.trim() === ''
  return (
    <form
      class="commentform"
      onSubmit={(event) => {
        event.preventDefault()
        void send(onSend)
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onCancel?.()
      }}
    >
      <label class="field">
        <span class="label">{label}</span>
        <textarea
          ref={field}
          rows={3}
          maxLength={MAX_LENGTH}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="row">
        <button type="submit" class="button small" aria-disabled={isOff}>
          Comment
        </button>
        {other && (
          <button
            type="button"
            class="button small"
            aria-disabled={isOff}
            onClick={() => void send(other.onSend)}
          >
            {other.label}
          </button>
        )}
        {onCancel && (
          <button type="button" class="button quiet small" onClick={onCancel}>
            Cancel
          </button>
        )}
      </div>
    </form>
  )
}
