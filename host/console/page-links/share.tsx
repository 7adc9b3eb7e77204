/**
 * The button that shares a file or folder with people, and its dialog: a link to a page of it, shown once.
 *
 * The file browser can ask for the dialog with the file that is selected in it. It is an app in a frame: it names a path, and
 * only the person makes the link. `test/host/console/page-links.test.tsx` has the cases.
 *
 * @module
 */

import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import type { MadePageLink } from '#core/owner/answers/page-links.ts'
import { isRecord } from '#core/json.ts'
import { SHARE_ADDRESS } from '#core/wire.ts'
import { revision } from '../connect/connection.ts'
import { ownBase } from '../connect/workspace.ts'
import { sendAct } from '../owner/send-act.ts'
import { Snippet } from '../ui/copy.tsx'
import { DecisionButton } from '../ui/decision-button.tsx'
import { Checkbox, TextField } from '../ui/fields.tsx'
import { formatCount, formatUntil } from '../ui/format.ts'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { Fault, Note } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { Segments } from '../ui/segments.tsx'
import { textIn } from '../ui/storage.ts'

/** What the dialog begins with. */
interface Shared {
  readonly path: string
  /** The version of the file that the person has seen. */
  readonly version: number | null
}

/** What is being shared; null while the dialog is closed. */
const shared = signal<Shared | null>(null)

/** Opens the dialog if an event of the file browser asks for it. */
export function openSharing(event: CustomEvent): void {
  const detail: unknown = event.detail
  const address = event.type === 'mcp-open-link' ? textIn(detail, 'url') : null
  if (!address?.startsWith(SHARE_ADDRESS) || !isRecord(detail)) return
  const query = new URLSearchParams(address.slice(SHARE_ADDRESS.length))
  const version = Number(query.get('version'))
  shared.value = { path: query.get('path') ?? '', version: version > 0 ? version : null }
  if (typeof detail['respondWith'] === 'function') detail['respondWith'](true)
}

/** Shows the button, and the dialog while it is open. `path` is the file that is opened, if one is. */
export function ShareButton({ path = '/' }: { readonly path?: string | undefined }) {
  if (ownBase.value === null) return null
  const open = shared.value
  return (
    <>
      <button type="button" class="button" onClick={() => (shared.value = { path, version: null })}>
        <Icon name="sessions" /> Share
      </button>
      {open && (
        <ShareDialog
          key={open.path}
          {...open}
          base={ownBase.value}
          onClose={() => (shared.value = null)}
        />
      )}
    </>
  )
}

const TIMES = [
  ['86400', '1 day'],
  ['604800', '7 days'],
  ['2592000', '30 days'],
  ['31536000', '1 year'],
] as const

interface DialogProps extends Shared {
  readonly base: string
  readonly onClose: () => void
}

interface Wanted {
  readonly file: string
  readonly time: (typeof TIMES)[number][0]
  readonly isLive: boolean
}

function ShareDialog({ path, version, base, onClose }: DialogProps) {
  const [wanted, setWanted] = useState<Wanted>({ file: path, time: '604800', isLive: false })
  const [error, setError] = useState<unknown>(null)
  const [made, setMade] = useState<MadePageLink | null>(null)
  const [isBusy, setBusy] = useState(false)
  const { file, isLive } = wanted
  // The link is shown once, so the dialog stays until it is there.
  const close = () => isBusy || onClose()
  const make = async () => {
    if (isBusy) return
    setBusy(true)
    setError(null)
    const seen = version !== null && !isLive && file === path ? { version } : {}
    const body = { path: file, live: isLive, ttl_seconds: Number(wanted.time), ...seen }
    try {
      setMade(await sendAct(base, 'make_page_link', { body }))
      revision.value++
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  if (made) return <Made made={made} onClose={onClose} />
  return (
    <Modal
      title="Share with people"
      intro="Makes a link to a page that shows this file or folder in a browser. Everyone who has the link can read it, without signing in, and change nothing."
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
            isOff={isBusy || file.trim() === ''}
            onDecide={() => void make()}
          >
            <Icon name="sessions" /> {isBusy ? 'Making the link…' : 'Make a link'}
          </DecisionButton>
        </>
      }
    >
      {error ? <Fault what="Cannot make the link" error={error} /> : null}
      <ShareFields wanted={wanted} onChange={(part) => setWanted({ ...wanted, ...part })} />
    </Modal>
  )
}

interface FieldsProps {
  readonly wanted: Wanted
  readonly onChange: (part: Partial<Wanted>) => void
}

function ShareFields({ wanted: { file, time, isLive }, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label="File or folder"
        maxLength={1_024}
        value={file}
        onInput={(next) => onChange({ file: next })}
      />
      {file.trim() === '/' && (
        <Note tone="warning" title="All files: the link shows the whole workspace.">
          Name a folder to show less.
        </Note>
      )}
      <div class="field">
        <span class="label">The link ends after</span>
        <Segments
          label="The link ends after"
          value={time}
          options={TIMES}
          onChange={(next) => onChange({ time: next })}
        />
      </div>
      <Checkbox
        checked={isLive}
        onChange={(next) => onChange({ isLive: next })}
        help="Otherwise the page shows the files as they are now, whatever is changed or deleted later."
      >
        Show later changes as well
      </Checkbox>
      <p class="faint">
        Of a folder, files with hidden names (such as <code>.env</code>), with names of secrets, and
        those that the rules deny to agents are not shown.
      </p>
    </>
  )
}

function Made({ made, onClose }: { readonly made: MadePageLink; readonly onClose: () => void }) {
  const { path, kind, url, files, hidden, expires } = made
  return (
    <Modal
      title="The link to the page"
      onClose={onClose}
      foot={
        <button type="button" class="button primary" onClick={onClose}>
          I have copied the link
        </button>
      }
    >
      <Note tone="warning" title="This is the only time that the link is shown.">
        Copy the link now. Everyone who has it can read <Path text={path} /> until{' '}
        {formatUntil(expires)}.
      </Note>
      <Snippet text={url} label="Link to the page" />
      {kind === 'folder' && (
        <p class="faint">
          It shows {formatCount(files, 'file')}
          {hidden > 0 && `; ${formatCount(hidden, 'file is', 'files are')} not shown`}.
        </p>
      )}
      <p class="faint">You can end the link at any time under Sessions.</p>
    </Modal>
  )
}
