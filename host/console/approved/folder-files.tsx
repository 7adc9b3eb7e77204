/**
 * The files of an app or a skill, each with its difference to the state that was approved. They are of the revision that
 * the buttons of its card decide on: the server refuses to show those of another one.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import type { FolderFile as FileRow } from '#core/owner/answers/approved.ts'
import { useMemo, useState } from 'preact/hooks'
import { DiffLines } from '../drafts/diff-lines.tsx'
import { createLineReader, readTextAt } from '../drafts/file-text.ts'
import { UnseenBadge, UnseenNote, WholeFile, type Side } from '../drafts/whole-file.tsx'
import { Path } from '../ui/path.tsx'
import { formatBytes } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, Waiting } from '../ui/parts.tsx'
import type { FolderActs, ShownFolder } from './acts.ts'

interface Props {
  readonly base: string
  readonly row: ShownFolder
  readonly acts: FolderActs
}

interface FileProps extends Props {
  readonly file: FileRow
}

/** Lists the files; a click shows one. */
export function FolderFiles(props: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <ul class="folderfiles">
      {props.row.files.map((file) => (
        <FolderFile
          key={file.path}
          {...props}
          file={file}
          isOpen={opened === file.path}
          onToggle={() => setOpened(opened === file.path ? null : file.path)}
        />
      ))}
    </ul>
  )
}

interface FileRowProps extends FileProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function FolderFile({ isOpen, onToggle, ...shown }: FileRowProps) {
  const { path, size, change, unseen } = shown.file
  return (
    <li>
      <button type="button" class="button quiet small" aria-expanded={isOpen} onClick={onToggle}>
        <Path text={path} />
      </button>{' '}
      {change && <Badge tone={change === 'deleted' ? 'danger' : 'info'}>{change}</Badge>}{' '}
      {unseen && <UnseenBadge />} <small class="numbers">{formatBytes(size)}</small>
      {isOpen && <Difference key={shown.row.revision} {...shown} />}
    </li>
  )
}

function Difference({ base, row, acts, file: { path, change, unseen = false } }: FileProps) {
  const { name, revision } = row
  const query = { path, revision }
  const { value, error, reload } = useLoad(
    async (signal) => (await acts.compare(base, name, { query, signal })).file,
    [base, name, path, revision],
  )
  const addressOf = (side: Side) => acts.addressOf(base, name, { ...query, side })
  const address = addressOf('after')
  const lines = useMemo(() => createLineReader(() => readTextAt(address)), [address])
  if (error) return <Fault what="Cannot read the file" error={error} retry={reload} />
  if (value === null) return <Waiting>Reading the file…</Waiting>
  return (
    <>
      {unseen && <UnseenNote />}
      <DiffLines json={value} read={lines} isUnseen={unseen} />
      <WholeFile
        addressOf={addressOf}
        sides={{
          before: change !== 'added' && row.decided?.state === 'approved',
          after: change !== 'deleted',
        }}
      />
    </>
  )
}
