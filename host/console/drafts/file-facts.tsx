/** What happens to a file, in its head: in the list of a draft, and where one change is shown alone. @module */

import type { ChangedFile } from '#core/owner/answers/drafts.ts'
import { formatBytes, formatCount } from '../ui/format.ts'
import { Badge, type Tone } from '../ui/parts.tsx'
import { Path } from '../ui/path.tsx'
import { LineCounts } from '#views/diff/line-counts.tsx'
import { RiskBadges } from './risk-badges.tsx'
import { UnseenBadge } from './whole-file.tsx'

const TONES: Readonly<Record<ChangedFile['change'], Tone>> = {
  added: 'success',
  changed: 'info',
  deleted: 'danger',
}

/** What the head of a file says. */
export type HeadOfFile = Omit<ChangedFile, 'group' | 'digest' | 'mark'>

interface Props {
  readonly file: HeadOfFile
}

/** Shows where a file is, and where it was. */
export const FilePath = ({ file: { path, from } }: Props) => (
  <span>
    {from !== undefined && (
      <>
        <Path text={from} /> →{' '}
      </>
    )}
    <Path text={path} />
  </span>
)

/** Shows all else: the risks, what happens, whether it can be run, and its lines or bytes. */
export function FileFacts({ file }: Props) {
  const { type, unseen, change, added, removed, risks, executable } = file
  const mode = executable && modeOf(executable)
  return (
    <>
      {unseen && <UnseenBadge />}
      <RiskBadges risks={mode ? risks.filter((risk) => risk !== 'executable') : risks} />
      {mode && <Badge tone="warning">{mode}</Badge>}
      <Badge tone={TONES[change]}>{wordOf(file)}</Badge>
      <LineCounts added={added ?? 0} removed={removed ?? 0} />
      {type === 'file' && added === undefined && <small class="numbers">{formatSizes(file)}</small>}
    </>
  )
}

/** Says what becomes of the executable bit. */
function modeOf({ before, after }: NonNullable<ChangedFile['executable']>): string {
  if (before === after) return 'executable'
  return after ? 'becomes executable' : 'no longer executable'
}

/** Says what happens to a file or folder. */
function wordOf({ type, change, from, files }: HeadOfFile): string {
  if (from !== undefined) return 'moved'
  if (type === 'file') return change
  return files ? `folder ${change} with ${formatCount(files, 'file')}` : `folder ${change}`
}

function formatSizes({ before, after }: HeadOfFile): string {
  if (before === null || after === null) return formatBytes(before ?? after ?? 0)
  return before === after ? formatBytes(after) : `${formatBytes(before)} → ${formatBytes(after)}`
}
