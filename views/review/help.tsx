/** Dialog with the keyboard shortcuts. @module */

import { useEffect, useRef } from 'preact/hooks'
import { KEYS } from './keys.ts'

/** Renders the dialog, which Escape closes. */
export function Help({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="keys" onClose={close}>
      <h2 id="keys">Keyboard</h2>
      <dl>
        {KEYS.map(({ keys, says }) => (
          <div>
            <dt>
              {keys.map((key) => (
                <kbd>{key}</kbd>
              ))}
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
      <button onClick={() => dialog.current?.close()}>Close</button>
    </dialog>
  )
}
