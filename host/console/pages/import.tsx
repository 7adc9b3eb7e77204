/** The import dialog: sends a folder, files or an archive, with progress. @module */

import { useRef, useState } from 'preact/hooks'
import type { ImportReport } from '../../connection/workspace-api.ts'
import { byHand } from '../parts/by-hand.ts'
import { Icon } from '../parts/icons.tsx'
import { Modal } from '../parts/modal.tsx'
import { Fault, Note } from '../parts/parts.tsx'
import { bytes, numbered } from '../state/format.ts'
import { touched } from '../state/link.ts'
import { isArchive, MAX_FILES, packFiles } from '../state/tar.ts'
import { answered, api } from '../state/workspace.ts'

interface Sending {
  readonly sent: number
  readonly total: number
}

/** Shows the dialog, and the report after the import; closing it stops a running import. */
export function Import({ onClose }: { readonly onClose: () => void }) {
  const from = api.value
  const [files, setFiles] = useState<readonly File[]>([])
  const [to, setTo] = useState('/')
  const [sending, setSending] = useState<Sending | null>(null)
  const [report, setReport] = useState<ImportReport | null>(null)
  const [error, setError] = useState<unknown>(null)
  const running = useRef<AbortController | null>(null)
  const archive = files.length === 1 && files[0] && isArchive(files[0]) ? files[0] : null
  const size = files.reduce((sum, file) => sum + file.size, 0)

  const send = async () => {
    if (!from || files.length === 0) return
    const blob: Blob = archive ?? packFiles(files).archive
    const controller = new AbortController()
    running.current = controller
    setError(null)
    setSending({ sent: 0, total: blob.size })
    try {
      const options = {
        to,
        signal: controller.signal,
        onProgress: (sent: number) => setSending({ sent, total: blob.size }),
      }
      setReport(await answered(from.importTar(blob, options)))
    } catch (problem) {
      if (!controller.signal.aborted) setError(problem)
    } finally {
      setSending(null)
      touched.value++
    }
  }
  const close = () => {
    running.current?.abort()
    onClose()
  }
  return (
    <Modal
      title="Import files"
      intro="A folder, some files, or a .tar or .tar.gz archive. Files of the same name are written over; the history keeps what they were."
      onClose={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>
            {report ? 'Done' : sending ? 'Stop' : 'Cancel'}
          </button>
          {!report && (
            <button
              type="button"
              class="button primary"
              disabled={files.length === 0 || sending !== null}
              onClick={byHand(() => void send())}
            >
              <Icon name="upload" /> Import
            </button>
          )}
        </>
      }
    >
      {!report && !sending && (
        <>
          <div class="row">
            <Pick label="Choose a folder" folder onPick={setFiles} />
            <Pick label="Choose files or an archive" onPick={setFiles} />
          </div>
          <label class="field">
            <span class="label">Into the folder</span>
            <input
              class="code"
              value={to}
              onInput={({ currentTarget }) => setTo(currentTarget.value)}
            />
          </label>
          <p role="status">
            {files.length === 0
              ? 'Nothing chosen yet.'
              : archive
                ? `The archive ${archive.name}, ${bytes(size)}.`
                : `${numbered(files.length, 'file')}, ${bytes(size)}.`}
          </p>
          {files.length > MAX_FILES && (
            <Note tone="warning">
              Only the first {numbered(MAX_FILES, 'file')} are taken at once.
            </Note>
          )}
        </>
      )}
      {sending && (
        <div class="progress" role="status">
          <span>
            {bytes(sending.sent)} of {bytes(sending.total)} sent
          </span>
          <progress aria-label="Sent" value={sending.sent} max={Math.max(sending.total, 1)} />
        </div>
      )}
      {error ? <Fault what="It was not imported." error={error} /> : null}
      {report && <Report report={report} />}
    </Modal>
  )
}

function Pick({
  label,
  folder = false,
  onPick,
}: {
  readonly label: string
  readonly folder?: boolean
  readonly onPick: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(folder && { webkitdirectory: true })}
        onChange={({ currentTarget }) => onPick([...(currentTarget.files ?? [])])}
      />
      <button type="button" class="button" onClick={() => input.current?.click()}>
        <Icon name={folder ? 'files' : 'file'} /> {label}
      </button>
    </>
  )
}

function Report({ report }: { readonly report: ImportReport }) {
  const { files, bytes: size, skipped, reasons, error } = report
  return (
    <>
      <Note tone={error === null ? 'success' : 'warning'} role="status">
        {numbered(files, 'file')} imported, {bytes(size)}.{' '}
        {error !== null && `It stopped before the end: ${error}`}
      </Note>
      {skipped > 0 && (
        <details open>
          <summary>{numbered(skipped, 'entry', 'entries')} left out</summary>
          <ul class="plainlist small">
            {reasons.map(({ name, reason }) => (
              <li key={name}>
                <code>{name}</code>: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
