/**
 * The dialog that creates a session link: label, access and lifetime; then the link, shown once.
 *
 * @module
 */

import { useState } from 'preact/hooks'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { Snippet } from '../ui/copy.tsx'
import { Fault, Note } from '../ui/parts.tsx'
import { revision } from '../connect/connection.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { ProgramTabs } from '../agents/connect-agent.tsx'
import { nameForLink } from '../agents/programs.ts'
import { EMPTY, SessionFields, SessionSummary, toRequest } from './session-form.tsx'

interface Props {
  readonly onMade: () => void
  readonly onClose: () => void
}

/** Shows the form, and the link once it is created. */
export function NewSession({ onMade, onClose }: Props) {
  const [draft, setDraft] = useState(EMPTY)
  const [error, setError] = useState<unknown>(null)
  const [url, setUrl] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  // The link is shown once, so the dialog stays until it is there.
  const close = () => isBusy || onClose()
  const make = async () => {
    const base = ownBase.value
    if (base === null || isBusy) return
    setBusy(true)
    setError(null)
    try {
      const made = await sendAct(base, 'make_link', { body: toRequest(draft) })
      setUrl(made.url)
      revision.value++
      onMade()
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  if (url !== null) return <Made label={draft.label} url={url} onClose={onClose} />
  return (
    <Modal
      title="Make a session link"
      intro="A link to this workspace for one agent. Everyone who has the link gets the access that you choose here."
      asksToDiscard={isBusy ? undefined : 'if-edited'}
      onClose={close}
      foot={
        <>
          <button type="button" class="button" aria-disabled={isBusy} onClick={close}>
            Cancel
          </button>
          <DecisionButton
            shown={null}
            look="primary"
            isOff={isBusy || draft.label.trim() === ''}
            onDecide={() => void make()}
          >
            <Icon name="sessions" /> {isBusy ? 'Making the link…' : 'Make the link'}
          </DecisionButton>
        </>
      }
    >
      {error ? <Fault what="Cannot make the link" error={error} /> : null}
      <SessionFields
        draft={draft}
        onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
      />
      <SessionSummary {...draft} />
    </Modal>
  )
}

function Made({
  label,
  url,
  onClose,
}: {
  readonly label: string
  readonly url: string
  readonly onClose: () => void
}) {
  return (
    <Modal
      title={`The link for “${label}”`}
      onClose={onClose}
      foot={
        <button type="button" class="button primary" onClick={onClose}>
          I have copied the link
        </button>
      }
    >
      <Note tone="warning" title="This is the only time that the link is shown.">
        Copy the link now. Everyone who has it gets the access that you chose.
      </Note>
      <Snippet text={url} label="Session link" />
      <ProgramTabs url={url} name={nameForLink(label)} />
      <p class="faint">
        For Finder, Explorer, Obsidian or rclone, use this address, any user name, and the link as
        the password.
      </p>
      <Snippet text={new URL('/dav/', url).href} label="Address for WebDAV" />
    </Modal>
  )
}
