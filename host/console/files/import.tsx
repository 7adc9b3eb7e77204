/** The import dialog: sends a folder, files or an archive, with progress. @module */

import { Path } from '../ui/path.tsx'
import { useRef, useState } from 'preact/hooks'
import type { ImportReport } from './send-archive.ts'
import { DecisionButton } from '../ui/decision-button.tsx'
import { TextField } from '../ui/fields.tsx'
import { Icon } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { Fault, Note } from '../ui/parts.tsx'
import { formatBytes, formatCount } from '../ui/format.ts'
import { localFiles, MAX_FILES, type LocalFile } from './tar.ts'
import { findArchive, useImport, type Sending, type Upload } from './use-import.ts'

interface ImportProps {
  /** What is chosen at first, such as files that were dropped. */
  readonly initial?: Upload
  readonly onClose: () => void
}

/** Shows the dialog, and the report after the import; closing it stops a running import. */
export function Import({ initial = { files: [], to: '/' }, onClose }: ImportProps) {
  const [upload, setUpload] = useState<Upload>(initial)
  const { sending, report, error, send, stop } = useImport(upload)
  const close = () => {
    stop()
    onClose()
  }
  return (
    <Modal
      title="Import files"
      intro="Choose a folder, files, or a .tar or .tar.gz archive. Files with the same path are replaced; the history keeps their earlier versions."
      asksToDiscard={sending || report ? undefined : 'if-edited'}
      onClose={close}
      foot={
        <>
          <button type="button" class="button" onClick={close}>
            {report ? 'Done' : sending ? 'Stop' : 'Cancel'}
          </button>
          {!report && (
            <DecisionButton
              shown={null}
              look="primary"
              isOff={upload.files.length === 0 || sending !== null}
              onDecide={() => void send()}
            >
              <Icon name="upload" /> Import
            </DecisionButton>
          )}
        </>
      }
    >
      {!report && !sending && (
        <Choice
          upload={upload}
          onChange={(part) => setUpload((before) => ({ ...before, ...part }))}
        />
      )}
      {sending && <Progress {...sending} />}
      {error ? <Fault what="Cannot import the files" error={error} /> : null}
      {report && <Report report={report} />}
    </Modal>
  )
}

interface ChoiceProps {
  readonly upload: Upload
  readonly onChange: (part: Partial<Upload>) => void
}

function Choice({ upload: { files, to }, onChange }: ChoiceProps) {
  const pick = (chosen: readonly File[]) => onChange({ files: localFiles(chosen) })
  return (
    <>
      <div class="row">
        <Pick label="Choose a folder" folder onPick={pick} />
        <Pick label="Choose files or an archive" onPick={pick} />
      </div>
      <TextField
        label="Target folder"
        isCode
        value={to}
        onInput={(text) => onChange({ to: text })}
      />
      <p role="status">{describeFiles(files)}</p>
      {files.length > MAX_FILES && (
        <Note tone="warning">Only the first {formatCount(MAX_FILES, 'file')} are imported.</Note>
      )}
    </>
  )
}

function describeFiles(files: readonly LocalFile[]): string {
  if (files.length === 0) return 'No files chosen.'
  const size = formatBytes(files.reduce((sum, { file }) => sum + file.size, 0))
  const archive = findArchive(files)
  return archive
    ? `The archive ${archive.name}, ${size}.`
    : `${formatCount(files.length, 'file')}, ${size}.`
}

const Progress = ({ sent, total }: Sending) => (
  <div class="progress" role="status">
    <span>
      {formatBytes(sent)} of {formatBytes(total)} sent
    </span>
    <progress aria-label="Sent" value={sent} max={Math.max(total, 1)} />
  </div>
)

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
        {formatCount(files, 'file')} imported, {formatBytes(size)}.{' '}
        {error !== null && `The import stopped early: ${error}`}
      </Note>
      {skipped > 0 && (
        <details open>
          <summary>{formatCount(skipped, 'entry', 'entries')} skipped</summary>
          <ul class="plainlist small">
            {reasons.map(({ name, reason }) => (
              <li key={name}>
                <Path text={name} />: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
