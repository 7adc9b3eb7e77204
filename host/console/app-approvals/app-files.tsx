/**
 * The files of an app, each with its difference to the state that was approved. They are of the revision that the
 * buttons of its card decide on: the server refuses to show those of another one.
 *
 * `test/host/console/app-approvals.test.tsx` covers it.
 *
 * @module
 */

import type { ShownApp } from '#core/owner/answers/apps.ts'
import type { FolderFile as FileRow } from '#core/owner/answers/approved.ts'
import { useMemo, useState } from 'preact/hooks'
import { sendAct, urlOfAct } from '../owner/send-act.ts'
import { DiffLines } from '../drafts/diff-lines.tsx'
import { createLineReader, readTextAt } from '../drafts/file-text.ts'
import { UnseenBadge, UnseenNote, WholeFile, type Side } from '../drafts/whole-file.tsx'
import { Path } from '../ui/path.tsx'
import { formatBytes } from '../ui/format.ts'
import { useLoad } from '../ui/load.ts'
import { Badge, Fault, Waiting } from '../ui/parts.tsx'

interface Props {
  readonly base: string
  readonly row: ShownApp
}

interface FileProps extends Props {
  readonly file: FileRow
}

/** Lists the files; a click shows one. */
export function AppFiles({ base, row }: Props) {
  const [opened, setOpened] = useState<string | null>(null)
  return (
    <ul class="appfiles">
      {row.files.map((file) => (
        <AppFile
          key={file.path}
          {...{ base, row, file }}
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

function AppFile({ isOpen, onToggle, ...shown }: FileRowProps) {
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

/** Names a file of the revision that is shown. */
const fileOf = ({ row: { name, revision }, file: { path } }: FileProps) => ({
  segments: { app: name },
  query: { path, revision },
})

function Difference(props: FileProps) {
  const { change, unseen = false } = props.file
  const { base } = props
  const shown = fileOf(props)
  const { value, error, reload } = useLoad(
    async (signal) => (await sendAct(base, 'compare_app_file', { ...shown, signal })).file,
    [base, JSON.stringify(shown)],
  )
  const addressOf = (side: Side) =>
    urlOfAct(base, 'open_app_file', { ...shown, query: { ...shown.query, side } })
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
          before: change !== 'added' && props.row.decided?.state === 'approved',
          after: change !== 'deleted',
        }}
      />
    </>
  )
}
