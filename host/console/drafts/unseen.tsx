/** The question before files are approved whose content cannot be shown as text. @module */

import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NoButton, YesButton } from '../questions/dialog.tsx'
import { formatCount } from '../ui/format.ts'
import { Modal } from '../ui/modal.tsx'
import { Path } from '../ui/path.tsx'

/** Paths that are listed; the number of the others is stated. */
const MAX_LISTED = 20

interface Request {
  readonly paths: readonly string[]
  readonly onYes: () => void
}

const request = signal<Request | null>(null)

/** Asks whether files are approved although their content was not shown. */
export const askForUnseen = (wanted: Request) => void (request.value = wanted)

/** Shows the question while it is open. */
export function UnseenQuestion() {
  // It is about what its page shows.
  useEffect(() => () => void (request.value = null), [])
  if (request.value === null) return null
  const { paths, onYes } = request.value
  const close = () => void (request.value = null)
  return (
    <Modal
      role="alertdialog"
      title={`Approve ${formatCount(paths.length, 'file')} without seeing the content?`}
      intro="They are not text, or too long to be compared, or replace such files. Open them to look at them."
      onClose={close}
      foot={
        <>
          <NoButton onNo={close}>Cancel</NoButton>
          <YesButton
            danger
            onYes={() => {
              close()
              onYes()
            }}
          >
            Approve without seeing
          </YesButton>
        </>
      }
    >
      <ul>
        {paths.slice(0, MAX_LISTED).map((path) => (
          <li key={path}>
            <Path text={path} />
          </li>
        ))}
      </ul>
      {paths.length > MAX_LISTED && <p>And {formatCount(paths.length - MAX_LISTED, 'other')}.</p>}
    </Modal>
  )
}
