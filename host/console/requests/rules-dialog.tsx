/** The question before access is allowed in the rules: the entries that are added, exactly as they are stored. @module */

import { NoButton, YesButton } from '../questions/dialog.tsx'
import { linkTo } from '../shell/route.ts'
import { Path } from '../ui/path.tsx'
import { Modal } from '../ui/modal.tsx'
import type { NewRoot } from '#core/owner/answers/requests.ts'

interface Props {
  readonly roots: readonly NewRoot[]
  readonly onClose: () => void
  readonly onYes: () => void
}

/** Shows what would be added to the rules, and asks. */
export function RulesDialog({ roots, onClose, onYes }: Props) {
  return (
    <Modal
      role="alertdialog"
      title="Add this to the rules?"
      intro="It applies to every agent and session from the next call on, until you change the rules."
      onClose={onClose}
      foot={
        <>
          <NoButton onNo={onClose}>Cancel</NoButton>
          <YesButton
            onYes={() => {
              onClose()
              onYes()
            }}
          >
            Add to the rules
          </YesButton>
        </>
      }
    >
      <ul class="newroots">
        {roots.map((root) => (
          <li key={root.path}>
            <Sentence root={root} />
            <pre class="plainbox">
              <ins>
                <span aria-hidden="true">+ </span>
                <Path text={JSON.stringify(root)} />
              </ins>
            </pre>
          </li>
        ))}
      </ul>
      <p class="small">
        Everything else in the <a href={linkTo(['rules'])}>rules</a> stays.
      </p>
    </Modal>
  )
}

function Sentence({ root: { path, immutable } }: { readonly root: NewRoot }) {
  const verb = immutable === undefined ? 'read and change' : 'read, and not change,'
  if (path === '/')
    return (
      <p>
        Agents may {verb} <strong>everything in the workspace</strong>.
      </p>
    )
  return (
    <p>
      Agents may {verb} everything in <Path text={path} />.
    </p>
  )
}
